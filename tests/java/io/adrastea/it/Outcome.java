package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.cli.CommandLineRun;
import java.util.List;

/**
 * What came of a command.
 *
 * @param code its exit code, or 128 + the number of the signal that ended it
 * @param out what it wrote to standard output
 * @param err what it wrote to standard error
 */
record Outcome(int code, String out, String err) {
  private static final String JOIN_NOTICE =
      ".*JoinNotice look\\R.*WARNING: rank.*( of \\d+ have not joined yet| waits (at|for rank 0 at) ).*\\R";

  /** What comes of the command line in this JVM, which says it before it starts anything. */
  static Outcome here(String... words) {
    CommandLineRun run = CommandLineRun.here(words);
    return new Outcome(run.exitCode(), run.out(), run.err());
  }

  /** Fails the test unless the command exited with this code. */
  Outcome exits(int wanted) {
    assertEquals(wanted, code, this::toString);
    return this;
  }

  /** Fails the test unless standard error has each of these. */
  Outcome says(String... parts) {
    for (String part : parts) {
      assertTrue(err.contains(part), () -> "standard error lacks '" + part + "': " + this);
    }
    return this;
  }

  /**
   * Fails the test when there is anything on standard error, but that the ranks waited for one that took its time to
   * start.
   */
  Outcome saysNothing() {
    assertEquals("", err.replaceAll(JOIN_NOTICE, ""), this::toString);
    return this;
  }

  /** Fails the test unless standard output has each of these. */
  Outcome prints(String... parts) {
    for (String part : parts) {
      assertTrue(out.contains(part), () -> "standard output lacks '" + part + "': " + this);
    }
    return this;
  }

  /**
   * Fails the test when standard output, which ends with the names of files left, has lines other than these.
   */
  Outcome leaves(String... expected) {
    List<String> left = lines().stream().filter(line -> !List.of(expected).contains(line)).toList();
    assertEquals(List.of(), left, this::toString);
    return this;
  }

  /** What {@code info} says of a core. */
  String core(String name) {
    return lines().stream()
        .filter(line -> line.matches(" +" + name + "  .*(works|unusable).*"))
        .map(line -> line.trim().split("  +")[1])
        .findFirst()
        .orElse("not named");
  }

  /** Lines of standard output. */
  List<String> lines() {
    return out.lines().toList();
  }

  @Override
  public String toString() {
    return "exit code %d%n--- output%n%s%n--- errors%n%s%n---".formatted(code, out, err);
  }
}
