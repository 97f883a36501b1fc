package io.adrastea.bench.page;

import java.util.Locale;

/** Text and numbers as HTML and SVG want them. */
final class Html {
  private Html() {}

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** What follows a figure: a star if it is to be distrusted. */
  static String star(boolean starred) {
    return starred ? "*" : "";
  }

  /** The style class of a marker or a bar whose figure is to be distrusted, after a blank. */
  static String starred(boolean starred) {
    return starred ? " starred" : "";
  }

  /** A place in a picture. */
  static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
