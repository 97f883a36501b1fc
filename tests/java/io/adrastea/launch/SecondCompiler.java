package io.adrastea.launch;

import static java.util.stream.Collectors.toCollection;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A JVM in which HotSpot's optimising compiler (C2) compiles the methods of Adrastea after a twentieth of the calls
 * that it takes otherwise, and which does not go on before that is done; its log tells which it has compiled. Other
 * tests start their JVMs with the first compiler (C1) alone, which is quick, but users run what C2 makes.
 */
public final class SecondCompiler {
  /**
   * Methods with which each wait, whatever the core, looks for messages. Which of these methods the compiler makes part
   * of their callers, and in which class they stand, is not for a test to say: one of them is compiled by itself.
   */
  public static final String LOOK =
      "io\\.adrastea\\.(engine|link|core|wait)\\..+::\\w*([aA]wait|[pP]oll|[pP]rogress|[rR]eceive|[sS]tep)\\w*";

  /** Methods with which large messages are moved. */
  public static final String MOVE = "io\\.adrastea\\.(transfer|payload|space)\\..+";

  /** Methods with which messages, whole or in pieces, leave; again one of them is compiled by itself. */
  public static final String SEND =
      "io\\.adrastea\\.((it|engine|link|core)\\..+::\\w*([bB]egin|[sS]end|[sS]tart)\\w*|Communicator::i?s?send)";

  /** As in "[0.8s][info][jit,compilation] 1659 ! 4 io.adrastea.core.ffm.FfmCore::poll (46 bytes)": level 4 is C2. */
  private static final Pattern COMPILED =
      Pattern.compile("(?m)\\] +\\d+ [%sbn! ]* 4 +(io\\.adrastea\\.\\S+::\\S+) (?!.*made not entrant)");

  private SecondCompiler() {}

  /** Flags of a JVM that says in {@code log} what it compiles. */
  public static List<String> flags(Path log) {
    return List.of(
        "-XX:+UseSerialGC",
        "-XX:-BackgroundCompilation",
        "-XX:CompileCommand=quiet",
        "-XX:CompileCommand=CompileThresholdScaling,io.adrastea.*::*,0.05",
        "-Xlog:jit+compilation=debug:file=" + log + "::filecount=0");
  }

  /** Methods of Adrastea that C2 has compiled until now, as {@code package.Class::method}. */
  public static Set<String> compiled(Path log) {
    try {
      String said = Files.exists(log) ? Files.readString(log) : "";
      return COMPILED.matcher(said).results().map((MatchResult line) -> line.group(1))
          .collect(toCollection(TreeSet::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether C2 has compiled a method for each of these patterns. */
  public static boolean hasCompiled(Path log, String... methods) {
    Set<String> compiled = compiled(log);
    return Stream.of(methods).allMatch(method -> compiled.stream().anyMatch(one -> one.matches(method)));
  }
}
