package io.adrastea.cli.run;

import io.adrastea.launch.LaunchEnvironment;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Where a command line was given.
 *
 * @param directory from which its relative names lead, absolute
 * @param environment where PATH and CLASSPATH are
 * @param isHere whether that is this process, and not one on another host
 */
record Origin(Path directory, Map<String, String> environment, boolean isHere) {
  private static final String SETTINGS = "ADRASTEA_";

  /** Variables that programs are found by, and flags of JVMs: what hosts have to have in common. */
  private static final Set<String> COMMON =
      Set.of("PATH", "CLASSPATH", "LD_LIBRARY_PATH", "JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS");

  /** This process. */
  static Origin here() {
    return new Origin(Path.of("").toAbsolutePath(), System.getenv(), true);
  }

  /**
   * What goes along to other hosts: settings, {@link #COMMON}, and what is asked for.
   *
   * @param wanted names of other variables
   */
  Map<String, String> goingAlong(Set<String> wanted) {
    Map<String, String> along = new TreeMap<>(environment);
    along.keySet().removeAll(LaunchEnvironment.variables());
    along.keySet().removeIf(name -> !name.startsWith(SETTINGS) && !COMMON.contains(name) && !wanted.contains(name));
    return along;
  }
}
