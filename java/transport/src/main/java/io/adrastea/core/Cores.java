package io.adrastea.core;

import io.adrastea.config.Tunable;
import io.adrastea.error.JoinException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** The cores of this JVM and the choice among them. */
public final class Cores {
  private static final List<CoreProvider> ALL =
      ServiceLoader.load(CoreProvider.class, Cores.class.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .sorted(Comparator.comparingInt(CoreProvider::preference))
          .toList();

  private Cores() {}

  /** All cores, usable or not, in the order of preference. */
  public static List<CoreProvider> all() {
    return ALL;
  }

  /**
   * The core of this name, or with {@code auto} the first that works; that it is not the one preferred to all others is
   * logged, see {@link Fallback}.
   *
   * @param name in lower case
   * @throws JoinException when the name is unknown, the core cannot be used here, or {@link #requireLibrary}; the
   * message says why
   */
  public static CoreProvider choose(String name) {
    requireLibrary();
    if (name.equals("auto")) {
      CoreProvider first =
          ALL.stream()
              .filter(core -> core.unavailabilityCause().isEmpty())
              .findFirst()
              .orElseThrow(() -> new JoinException("no core works here: " + causes()));
      Fallback.warn(ALL.getFirst(), first);
      return first;
    }
    CoreProvider found =
        ALL.stream().filter(core -> core.name().equals(name)).findFirst().orElseThrow(() -> unknown(name));
    found
        .unavailabilityCause()
        .ifPresent(
            cause -> {
              throw new JoinException(
                  "core '%s' cannot be used here: %s".formatted(name, cause.getMessage()), cause);
            });
    return found;
  }

  /**
   * Refuses a library that was asked for by its name and does not load, rather than to take in silence a core that
   * needs none.
   *
   * @throws JoinException when {@code adrastea.library} is set and no core can use it; the message says why
   */
  public static void requireLibrary() {
    if (Tunable.LIBRARY.isSet()
        && ALL.stream().filter(LoadedCoreProvider.class::isInstance).allMatch(Cores::isUnusable)) {
      throw new JoinException(
          ("adrastea.library is '%s', which no core can use (%s); name a library that loads, or leave the "
              + "setting out for the one in the jar")
              .formatted(Tunable.LIBRARY.value(), reasons()));
    }
  }

  private static boolean isUnusable(CoreProvider core) {
    return core.unavailabilityCause().isPresent();
  }

  /** Mostly all say the same, some in several lines. */
  private static String reasons() {
    if (!Files.isRegularFile(Path.of(Tunable.LIBRARY.value()))) {
      return "there is no such file";
    }
    return ALL.stream()
        .flatMap(core -> core.unavailabilityCause().stream())
        .map(cause -> cause.getMessage() == null ? cause.toString() : cause.getMessage().lines().findFirst().orElse(""))
        .distinct()
        .collect(Collectors.joining("; "));
  }

  private static JoinException unknown(String name) {
    return new JoinException(
        "no core '%s'; there are: auto, %s"
            .formatted(name, ALL.stream().map(CoreProvider::name).collect(Collectors.joining(", "))));
  }

  private static String causes() {
    return ALL.stream()
        .map(core -> core.name() + ": " + core.unavailabilityCause().map(Throwable::getMessage).orElse("works"))
        .collect(Collectors.joining("; "));
  }

  /** Pins the calling thread with whichever core can: 0, or a negative errno value. */
  public static int bindThread(int cpu) {
    return ALL.stream()
        .filter(core -> core.unavailabilityCause().isEmpty())
        .mapToInt(core -> core.bindThread(cpu))
        .filter(status -> status != Core.NOSYS)
        .findFirst()
        .orElse(Core.NOSYS);
  }
}
