package io.adrastea.cli.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Makes the kernel end a program when the thread that started it ends, be it by {@code kill -9} of this process
 * (PR_SET_PDEATHSIG). Ranks that use the library watch their launcher themselves; this covers the time before they
 * join, and any other program.
 */
final class DeathSignal {
  private static final String TOOL = "setpriv";
  private static final String OPTION = "--pdeathsig";

  private DeathSignal() {}

  /**
   * The words that go before a program; none where util-linux' setpriv is missing or lacks the option.
   */
  static List<String> prefix() {
    return available() ? List.of(TOOL, OPTION, "KILL", "--") : List.of();
  }

  private static boolean available() {
    try {
      Process help = new ProcessBuilder(TOOL, "--help").redirectErrorStream(true).start();
      help.getOutputStream().close();
      byte[] text = help.getInputStream().readAllBytes();
      return new String(text, StandardCharsets.UTF_8).contains(OPTION);
    } catch (IOException e) {
      return false;
    }
  }
}
