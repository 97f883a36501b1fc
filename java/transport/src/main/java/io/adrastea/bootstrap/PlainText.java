package io.adrastea.bootstrap;

/**
 * Words of others in a message: a question mark goes in the place of what does not belong there. Twin of
 * {@code bootstrap/adr_plain_text.h}.
 */
final class PlainText {
  private PlainText() {}

  /** Replaces what ends lines or commands a terminal. */
  static String of(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  /** Replaces all that is not printable in ASCII, for bytes whose encoding nobody knows. */
  static String ascii(String text) {
    return text.replaceAll("[^ -~]", "?");
  }
}
