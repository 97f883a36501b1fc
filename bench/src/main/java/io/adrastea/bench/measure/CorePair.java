package io.adrastea.bench.measure;

import io.adrastea.cli.base.CommandFailure;
import io.adrastea.core.CoreProvider;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** The cores of a pair of ranks: {@code ffm} on both sides, or {@code ffm-java}. */
public record CorePair(String lower, String upper) {
  /** The variant's name. */
  public String name() {
    return lower.equals(upper) ? lower : lower + "-" + upper;
  }

  /**
   * Reads {@code ffm,java,ffm-java}; {@code null} stands for every core that can be used here.
   *
   * @throws IllegalArgumentException when the list is not one or a core is unknown
   * @throws CommandFailure when a core cannot be used here, with the reason
   */
  public static List<CorePair> parse(String list, List<CoreProvider> providers) {
    if (list == null) {
      return available(providers);
    }
    List<CorePair> pairs = new ArrayList<>();
    for (String word : list.split(",", -1)) {
      String[] cores = word.strip().split("-", -1);
      if (cores.length > 2) {
        throw new IllegalArgumentException(
            "'%s' names %d cores; one core, or two as in ffm-java, are allowed"
                .formatted(word, cores.length));
      }
      pairs.add(
          new CorePair(check(cores[0], providers), check(cores[cores.length - 1], providers)));
    }
    return pairs.stream().distinct().toList();
  }

  private static List<CorePair> available(List<CoreProvider> providers) {
    return providers.stream()
        .filter(provider -> provider.unavailabilityCause().isEmpty())
        .map(provider -> new CorePair(provider.name(), provider.name()))
        .toList();
  }

  private static String check(String core, List<CoreProvider> providers) {
    for (CoreProvider provider : providers) {
      if (provider.name().equals(core)) {
        provider.unavailabilityCause().ifPresent(cause -> refuse(core, cause));
        return core;
      }
    }
    throw new IllegalArgumentException(
        "there is no core '%s'; this build has %s, and pairs such as ffm-java"
            .formatted(
                core, String.join(", ", providers.stream().map(CoreProvider::name).toList())));
  }

  private static void refuse(String core, Throwable cause) {
    throw new CommandFailure(
        CommandLine.ExitCode.SOFTWARE,
        "core '%s' cannot be used here: %s; see 'adrastea info'"
            .formatted(core, cause.getMessage()));
  }
}
