import java.nio.ByteBuffer;

/** Reads a PGM file: P2 (numbers as text) or P5 (bytes, or two a pixel). */
final class Pgm {
  private final ByteBuffer bytes;

  Pgm(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes).position(2);
  }

  Picture read() throws BadInput {
    boolean text = bytes.get(1) == '2';
    int width = number();
    int height = number();
    int brightest = number();
    Picture.check(width, height, 1);
    if (brightest < 1 || brightest > 65535) {
      throw new BadInput("its brightest value is " + brightest + ", not 1 to 65535");
    }
    byte[] values = new byte[width * height];
    if (!text) {
      bytes.get(); // one white space
    }
    for (int i = 0; i < values.length; i++) {
      int value = text ? number() : brightest < 256 ? bytes.get() & 0xff : bytes.getChar();
      values[i] = (byte) (Math.min(value, brightest) * 255L / brightest);
    }
    return new Picture(width, height, 1, values);
  }

  /** The next number; white space and comments go before it. */
  private int number() throws BadInput {
    int c = bytes.get();
    while (Character.isWhitespace(c) || c == '#') {
      while (c == '#' && bytes.get() != '\n') {}
      c = bytes.get();
    }
    int number = 0;
    int digits = 0;
    for (; c >= '0' && c <= '9' && digits < 9; digits++) {
      number = 10 * number + c - '0';
      c = bytes.hasRemaining() ? bytes.get() : ' ';
    }
    if (digits == 0 || c >= '0' && c <= '9') {
      throw new BadInput("a number is due at byte " + bytes.position());
    }
    if (bytes.position() < bytes.limit() || !Character.isWhitespace(c)) {
      bytes.position(bytes.position() - 1);
    }
    return number;
  }
}
