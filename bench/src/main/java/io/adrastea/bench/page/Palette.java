package io.adrastea.bench.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which look belongs to which name: the same in all charts of a page. Colours can be told apart by colour-blind
 * readers, and each has a marker of its own shape as well. Where there are more names than colours, the next ones are
 * dashed, each turn in another way, so no two names look alike. Where a page has ratio charts, our own series have
 * shades of blue that nobody else has. Every name can be switched off.
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
  private static final String[] LIGHT_PEERS = {
    "#d95500", "#008a4e", "#b0288f", "#8f7400", "#6a35c9", "#8a4b1f", "#00828c", "#c4123f", "#5d6b2f", "#77767b"
  };
  private static final String[] DARK_PEERS = {
    "#ff9a57", "#3fd68c", "#f58fd6", "#e8d44d", "#bca4f5", "#d9a877", "#4fdbe0", "#ff7590", "#b9cc7a", "#b8b8be"
  };
  private static final String[] LIGHT_OURS = {"#0050c8", "#3f8df0", "#0b2f6b", "#86a9dc", "#4a6a9c"};
  private static final String[] DARK_OURS = {"#5aa5ff", "#2f78e0", "#a9cdff", "#7f9fd0", "#cfe0f7"};
  private static final String[] LIGHT_REFERENCES = {"#50565e", "#8b929a", "#24282d", "#9c9484"};
  private static final String[] DARK_REFERENCES = {"#c3c8cf", "#8f969e", "#f2f5f8", "#a89f8a"};
  private static final int FEW = 3; // of ours at first, and of others

  private final List<String> all = new ArrayList<>();
  private final List<String> references = new ArrayList<>();
  private final List<String> ours = new ArrayList<>();
  private final List<String> others = new ArrayList<>();
  private final boolean ratios;

  Palette(List<RatioChart> ratios, List<Chart> charts) {
    this.ratios = !ratios.isEmpty();
    for (RatioChart chart : ratios) {
      for (RatioChart.RatioCurve curve : chart.curves()) {
        add(curve.name(), switch (curve.role()) {
          case OURS -> ours;
          case PEER -> others;
          case FLOOR -> references;
        });
      }
    }
    for (Chart chart : charts) {
      for (Curve curve : chart.curves()) {
        add(curve.name(), curve.reference() ? references : others);
      }
    }
    all.addAll(ours);
    all.addAll(others);
    all.addAll(references);
  }

  private void add(String name, List<String> group) {
    if (!ours.contains(name) && !others.contains(name) && !references.contains(name)) {
      group.add(name);
    }
  }

  /** The style classes of a name. */
  String look(String name) {
    return colour(name) + " s" + all.indexOf(name);
  }

  private String colour(String name) {
    if (references.contains(name)) {
      return "ref " + colour("r", references.indexOf(name), LIGHT_REFERENCES.length);
    }
    return ours.contains(name) ? colour("o", ours.indexOf(name), LIGHT_OURS.length)
        : colour(ratios ? "p" : "c", others.indexOf(name), LIGHT.length);
  }

  /** The class of a colour, and that of a way to dash it once all colours are taken. */
  private static String colour(String look, int number, int colours) {
    return look + number % colours + (number < colours ? "" : " d" + number / colours);
  }

  /**
   * Names that a page does not begin with: where there are many, all but a few of ours and a few others, in their
   * order.
   */
  Set<String> asides() {
    if (ours.size() + others.size() <= 2 * FEW) {
      return Set.of();
    }
    int few = ours.isEmpty() ? 2 * FEW : FEW;
    return Stream.concat(ours.stream().skip(FEW), others.stream().skip(few)).collect(Collectors.toSet());
  }

  /** A marker around a place, as the data of an SVG path. */
  String marker(String name, double x, double y) {
    int number = Math.max(ours.indexOf(name), others.indexOf(name));
    String shape =
        switch (references.contains(name) ? 4 : number % 4) {
          case 0 -> "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z"; // circle
          case 1 -> "m-3.5-3.5h7v7h-7z"; // square
          case 2 -> "m0-5l4.6 8h-9.2z"; // triangle
          case 3 -> "m0-5l5 5l-5 5l-5-5z"; // diamond
          default -> "m-4.5-1h3.5v-3.5h2v3.5h3.5v2h-3.5v3.5h-2v-3.5h-3.5z"; // plus
        };
    return "M" + Html.number(x) + " " + Html.number(y) + shape;
  }

  /**
   * A box for each name; the style sheet, not a script, makes a name that is not ticked disappear.
   *
   * @param off those that are not ticked at first
   */
  String switches(Set<String> off) {
    if (all.size() < 2) {
      return "";
    }
    StringBuilder boxes = new StringBuilder("<fieldset class=\"switches\"><legend>shown</legend>\n");
    for (String name : all) {
      boxes.append("<label class=\"%s\"><input type=\"checkbox\" id=\"show%d\"%s>%s</label>\n"
          .formatted(colour(name), all.indexOf(name), off.contains(name) ? "" : " checked", Html.escape(name)));
    }
    return boxes.append("</fieldset>\n").toString();
  }

  /** The style sheet's part for the names of this page: their dashes and {@link #switches}. */
  String rules() {
    StringBuilder rules = new StringBuilder();
    for (int turn = 1; turn <= all.size() / LIGHT_REFERENCES.length; turn++) {
      rules.append(".d%d .line{stroke-dasharray:9 3%s}\n".formatted(turn, " 2 3".repeat(turn)));
    }
    for (int i = 0; i < all.size(); i++) {
      rules.append("body:has(#show%d:not(:checked)) .s%d{display:none}\n".formatted(i, i));
    }
    return rules.toString();
  }

  /** The style sheet's part for one ground. */
  static String rules(boolean dark) {
    return rules("c", dark ? DARK : LIGHT)
        + rules("p", dark ? DARK_PEERS : LIGHT_PEERS)
        + rules("o", dark ? DARK_OURS : LIGHT_OURS)
        + rules("r", dark ? DARK_REFERENCES : LIGHT_REFERENCES);
  }

  private static String rules(String look, String[] colours) {
    return IntStream.range(0, colours.length)
        .mapToObj(i -> ".%s%d{--c:%s}\n".formatted(look, i, colours[i]))
        .reduce("", String::concat);
  }
}
