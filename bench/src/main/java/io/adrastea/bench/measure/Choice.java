package io.adrastea.bench.measure;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Some things, of which a word of an option names one, or all.
 *
 * @param what they are, one
 * @param all of them
 * @param name of each
 * @param every the word for all of them
 */
public record Choice<T>(String what, List<T> all, Function<T, String> name, String every) {
  /** Copies the list. */
  public Choice {
    all = List.copyOf(all);
  }

  /**
   * Reads a word.
   *
   * @throws IllegalArgumentException when there is none of that name
   */
  public List<T> named(String word) {
    if (word.strip().equals(every)) {
      return all;
    }
    return List.of(all.stream()
        .filter(one -> name.apply(one).equals(word.strip()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(
            "there is no %s '%s' here; allowed are %s, and %s for each of them".formatted(what, word,
                all.stream().map(name).collect(Collectors.joining(", ")), every))));
  }
}
