package io.adrastea.bench.page;

import java.util.ArrayList;
import java.util.List;

/**
 * Which look belongs to which name: the same in all charts of a page. Colours can be told apart by colour-blind
 * readers, and each has a marker of its own shape as well.
 */
final class Palette {
  private static final String[] LIGHT = {
    "#0066aa", "#c44900", "#00795a", "#a03585", "#7a6200", "#1e88c7", "#5e3aa8", "#8a4b1f",
    "#00727d", "#b3123f"
  };
  private static final String[] DARK = {
    "#62b8f5", "#ff9a57", "#3fd6a6", "#f0a0d4", "#e8d44d", "#a5dcff", "#bca4f5", "#dbaa76",
    "#55d3e0", "#ff8299"
  };
  private static final String REFERENCE = "ref";

  private final List<String> names = new ArrayList<>();

  Palette(List<Chart> charts) {
    for (Chart chart : charts) {
      for (Curve curve : chart.curves()) {
        if (!curve.reference() && !names.contains(curve.name())) {
          names.add(curve.name());
        }
      }
    }
  }

  /** The style class of a curve. */
  String look(Curve curve) {
    return curve.reference() ? REFERENCE : "c" + number(curve) % LIGHT.length;
  }

  private int number(Curve curve) {
    return Math.max(0, names.indexOf(curve.name()));
  }

  /** A marker around a place, as the data of an SVG path. */
  String marker(Curve curve, double x, double y) {
    String shape =
        switch (curve.reference() ? 4 : number(curve) % 4) {
          case 0 -> "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z"; // circle
          case 1 -> "m-3.5-3.5h7v7h-7z"; // square
          case 2 -> "m0-5l4.6 8h-9.2z"; // triangle
          case 3 -> "m0-5l5 5l-5 5l-5-5z"; // diamond
          default -> "m-4.5-1h3.5v-3.5h2v3.5h3.5v2h-3.5v3.5h-2v-3.5h-3.5z"; // plus
        };
    return "M" + Html.number(x) + " " + Html.number(y) + shape;
  }

  /** The style sheet's part for one ground. */
  static String rules(boolean dark) {
    StringBuilder rules = new StringBuilder();
    String[] colours = dark ? DARK : LIGHT;
    for (int i = 0; i < colours.length; i++) {
      rules.append(".c").append(i).append("{--c:").append(colours[i]).append("}\n");
    }
    return rules.append(dark ? ".ref{--c:#c3c8cf}\n" : ".ref{--c:#50565e}\n").toString();
  }
}
