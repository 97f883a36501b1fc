package io.adrastea.core;

import io.adrastea.library.Extracted;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells the user, once in a process, that the core that is made for this platform cannot be used, and what mends that.
 */
final class Fallback {
  private static final System.Logger LOGGER = System.getLogger(Cores.class.getName());
  private static final AtomicBoolean TOLD = new AtomicBoolean();

  private Fallback() {}

  /**
   * Warns when {@code chosen} is not {@code best}, on a platform whose library is in the jar.
   *
   * @param best the core that is preferred to all others
   * @param chosen the first that works
   */
  static void warn(CoreProvider best, CoreProvider chosen) {
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
   * The JVM, or whoever started it ({@code --illegal-native-access=deny}), does not let this code call native
   * functions.
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
}
