package io.adrastea.bench.guard;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** All promises, from {@code promises.csv}. */
final class Promises {
  private static final String FILE = "promises.csv";

  private Promises() {}

  static List<Promise> all() {
    try (InputStream file = Promises.class.getResourceAsStream(FILE)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .skip(1)
          .map(Promise::parse)
          .toList();
    } catch (IOException e) {
      throw new IllegalStateException(FILE + " cannot be read from the jar", e);
    }
  }

  /** The table that stands in {@code docs/performance.md}. */
  static List<String> markdown() {
    return Stream.concat(
        Stream.of("| bench | variant | bytes | ratio | to | made for |", "|---|---|---|---|---|---|"),
        all().stream().map(Promise::markdown))
        .toList();
  }
}
