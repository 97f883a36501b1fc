package io.adrastea.bench.measure;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Message sizes in bytes, ascending, none twice. */
public record Sizes(List<Integer> bytes) {
  static final long MAX_BYTES = 1L << 30;

  /** Reads {@code 0,8,64,4K,1M}; K, M and G are powers of 1024. */
  public static Sizes parse(String list) {
    List<Integer> sizes = new ArrayList<>();
    for (String word : list.split(",", -1)) {
      sizes.add(parseOne(word.strip(), list));
    }
    return new Sizes(sizes.stream().distinct().sorted().toList());
  }

  /** A size as it is given: 64, 4K, 1M. */
  public static String text(int bytes) {
    int shift = bytes == 0 ? 0 : Math.min(Integer.numberOfTrailingZeros(bytes) / 10, 3);
    return (bytes >> 10 * shift) + " KMG".substring(shift, shift + 1).strip();
  }

  /**
   * Requires whole words of 8 bytes.
   *
   * @param most bytes that are allowed
   * @return the sizes
   * @throws IllegalArgumentException when one is something else, in the words of the option
   */
  public static List<Integer> words(List<Integer> sizes, int most) {
    for (int bytes : sizes) {
      MeasureOptions.require(bytes >= Long.BYTES && bytes <= most && bytes % Long.BYTES == 0,
          "--sizes must be multiples of 8 from 8 to %s, not %d".formatted(text(most), bytes));
    }
    return sizes;
  }

  private static int parseOne(String word, String list) {
    if (!word.matches("[0-9]{1,12}[kKmMgG]?")) {
      throw new IllegalArgumentException(
          ("'%s' in '%s' is not a size; sizes are whole numbers of bytes,"
              + " with K, M or G if you like, as in 0,8,4K,1M")
              .formatted(word, list));
    }
    int shift = " kmg".indexOf(Character.toLowerCase(word.charAt(word.length() - 1))) * 10;
    long number = Long.parseLong(shift > 0 ? word.substring(0, word.length() - 1) : word);
    if (number > MAX_BYTES || number << Math.max(shift, 0) > MAX_BYTES) {
      throw new IllegalArgumentException(
          "size '%s' is too large; sizes from 0 to 1G are allowed".formatted(word));
    }
    return (int) (number << Math.max(shift, 0));
  }

  /** Reads the option, with the parser's words as the message. */
  public static final class Converter implements ITypeConverter<Sizes> {
    @Override
    public Sizes convert(String value) {
      try {
        return parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
