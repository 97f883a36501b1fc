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

  /** A place in a picture. */
  static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
