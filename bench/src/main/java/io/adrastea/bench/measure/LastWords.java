package io.adrastea.bench.measure;

import java.util.List;

/** What a process that failed has left, for a line among the notes of a table. */
public final class LastWords {
  private static final String LEAD = "; its last words:";

  /** What launchers, handlers of a signal and JVMs print when a rank dies: the exit status tells as much. */
  private static final String OF_LAUNCHERS =
      "\\[\\S+\\].*|-+|=+.*|Primary job .*|at \\S+\\(.*|a non-zero exit code.*|mpirun.*";

  private LastWords() {}

  /** Returns a message on one line: of last words it has the first that the program itself said. */
  public static String inLine(String message) {
    int lead = message.indexOf(LEAD);
    if (lead < 0) {
      return message.replaceAll("\\s*\\n\\s*", " ");
    }
    List<String> said = message.substring(lead + LEAD.length()).lines().map(String::strip)
        .filter(line -> !line.isEmpty() && !line.matches(OF_LAUNCHERS)).limit(1).toList();
    return message.substring(0, lead) + (said.isEmpty() ? "" : ": " + said.get(0));
  }
}
