package io.adrastea.core;

import io.adrastea.config.Tunable;
import io.adrastea.error.JoinException;
import io.adrastea.library.Extracted;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/** The cores of this JVM and the choice among them. */
public final class Cores {
  private static final List<CoreProvider> ALL =
      ServiceLoader.load(CoreProvider.class, Cores.class.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .sorted(Comparator.comparingInt(CoreProvider::preference))
          .toList();

  private static final System.Logger LOGGER = System.getLogger(Cores.class.getName());
  private static final AtomicBoolean TOLD = new AtomicBoolean();

  private Cores() {}

  /** All cores, usable or not, in the order of preference. */
  public static List<CoreProvider> all() {
    return ALL;
  }

  /**
   * The core of this name, or with {@code auto} the first that works; that it is not the one preferred to all others is
   * logged.
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
      warn(ALL.getFirst(), first);
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

  /**
   * Tells the user, once in a process, that the core that is made for this platform cannot be used, and what mends
   * that: when {@code chosen} is not {@code best}, on a platform whose library is in the jar.
   *
   * @param best the core that is preferred to all others
   * @param chosen the first that works
   */
  private static void warn(CoreProvider best, CoreProvider chosen) {
    if (chosen != best && isMadeForThisPlatform() && TOLD.compareAndSet(false, true)) {
      LOGGER.log(System.Logger.Level.WARNING, words(best, chosen));
    }
  }

  private static boolean isMadeForThisPlatform() {
    return Extracted.class.getResource(Extracted.resource(System.mapLibraryName("adrastea"))) != null;
  }

  private static String words(CoreProvider best, CoreProvider chosen) {
    Throwable cause = best.unavailabilityCause().orElseThrow();
    return "core '%s' cannot be used (%s), so this rank takes core '%s'%s; %s"
        .formatted(
            best.name(),
            isDenied(cause) ? "this JVM may not call native functions"
                : cause.getMessage() == null ? cause.toString() : cause.getMessage(),
            chosen.name(),
            chosen instanceof LoadedCoreProvider
                ? ""
                : ", which is slower, and cannot wake others that sleep, so that all ranks of the job sleep in "
                    + "short naps",
            isDenied(cause)
                ? "start this JVM with --enable-native-access=" + module()
                : "`adrastea info` tells more; adrastea.core=" + chosen.name() + " chooses it without this warning");
  }

  /**
   * Whether the JVM, or the command that started it ({@code --illegal-native-access=deny}), does not let this code call
   * native functions.
   */
  private static boolean isDenied(Throwable cause) {
    Throwable each = cause;
    while (each != null && !(each instanceof IllegalCallerException)) {
      each = each.getCause();
    }
    return each != null || String.valueOf(cause.getMessage()).contains("llegal native access");
  }

  private static String module() {
    Module module = Cores.class.getModule();
    return module.isNamed() ? module.getName() : "ALL-UNNAMED";
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
