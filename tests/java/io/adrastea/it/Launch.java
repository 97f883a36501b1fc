package io.adrastea.it;

import io.adrastea.launch.SecondCompiler;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * A command that is to be run, in an environment without settings of Adrastea but those given here. Ranks named
 * {@code java} find the classes of this package.
 */
final class Launch {
  /** The variable by which all processes of one command are known. */
  static final String MARK = "ADRASTEA_IT_MARK";

  private static final String FIRST_COMPILER = "-XX:TieredStopAtLevel=1";
  private static final int JOIN_MILLIS = 240_000; // thousands of JVMs start on a machine that is busy
  private static final List<String> QUICK_START =
      List.of(FIRST_COMPILER, "-XX:+UseSerialGC");

  private final List<String> command;
  private final Map<String, String> environment = new HashMap<>();
  private boolean bare;
  private File directory;

  private Launch(List<String> command) {
    this.command = command;
    environment.put("CLASSPATH", classes().toString());
  }

  /** Any command. */
  static Launch command(String... words) {
    return new Launch(new ArrayList<>(List.of(words)));
  }

  /** The jar that has the command of these words, segments in {@code shm}. */
  static Launch adrastea(ShmDirectory shm, String... words) {
    Path jar = words.length > 0 && words[0].equals("bench") ? benchJar() : jar();
    return java(ClassArchive.flags(jar).toArray(String[]::new)).add("-jar", jar.toString()).add(words)
        .set("shm.dir", shm.path());
  }

  /** A program of this package as one rank of a job that nobody launched. */
  static Launch rank(ShmDirectory shm, String job, int rank, int size, String... words) {
    return java("--enable-native-access=ALL-UNNAMED", "-cp", jar() + File.pathSeparator + classes())
        .flags(ClassArchive.flags(jar()).toArray(String[]::new))
        .add(words)
        .ofJob(shm, job, rank, size);
  }

  /** A program of these classes as one rank of a job whose ranks meet at a port of this host, each on its node. */
  static Launch meeting(int port, ShmDirectory node, int rank, int size, String... words) {
    return java("--enable-native-access=ALL-UNNAMED", "-cp", jar() + File.pathSeparator + classes())
        .flags(ClassArchive.flags(jar()).toArray(String[]::new))
        .add(words)
        .set("shm.dir", node.path()).set("rendezvous", "127.0.0.1:" + port).set("rank", rank).set("size", size)
        .set("join.timeout", JOIN_MILLIS);
  }

  /** The settings of a rank of a job that nobody launched. */
  Launch ofJob(ShmDirectory shm, String job, int rank, int size) {
    return set("shm.dir", shm.path()).set("job", job).set("rank", rank).set("size", size)
        .set("join.timeout", JOIN_MILLIS);
  }

  private void bothCompilers() {
    command.remove(FIRST_COMPILER);
  }

  /**
   * Runs a program as the two ranks of a job, each on its core, without a launcher, which costs as much as both. Two of
   * a kind compile as JVMs of users do, which takes longer; unlike ones are quick to start.
   */
  static List<Outcome> pair(ShmDirectory shm, String first, String second, String... words)
      throws IOException, InterruptedException {
    String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    Launch zeroth = rank(shm, job, 0, 2, words).set("core", first);
    Launch other = rank(shm, job, 1, 2, words).set("core", second);
    if (first.equals(second)) {
      zeroth.bothCompilers();
      other.bothCompilers();
    }
    try (Child zero = zeroth.start(); Child one = other.start()) {
      return List.of(zero.input("").await().exits(0), one.input("").await().exits(0));
    }
  }

  /** The Java that runs this test, quick to start. */
  static Launch java(String... words) {
    return command(javaProgram().toString()).add(QUICK_START.toArray(String[]::new)).add(words);
  }

  /** More words at the end. */
  Launch add(String... words) {
    command.addAll(Arrays.asList(words));
    return this;
  }

  /** Runs it with the second compiler instead of the first alone; {@code log} tells what it has compiled. */
  Launch secondCompiler(Path log) {
    int at = Collections.indexOfSubList(command, QUICK_START);
    command.removeAll(QUICK_START);
    command.addAll(at, SecondCompiler.flags(log));
    return this;
  }

  /**
   * The JVMs that it starts in its turn, too, compile with the first compiler alone: for a bench whose figures do not
   * matter. Each JVM says on standard error that it has found this variable.
   */
  Launch quickThroughout() {
    return variable(
        "JDK_JAVA_OPTIONS",
        "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC " + String.join(" ", ClassArchive.flags(benchJar())));
  }

  /** Flags of the JVM, before its others. */
  Launch flags(String... flags) {
    command.addAll(1, Arrays.asList(flags));
    return this;
  }

  /** Words that go before all others: a program that executes the rest. */
  Launch under(String... words) {
    command.addAll(0, Arrays.asList(words));
    return this;
  }

  /** A setting by its short name, as {@code set("core", "ffm")}, through the environment. */
  Launch set(String name, Object value) {
    return variable("ADRASTEA_" + name.toUpperCase(java.util.Locale.ROOT).replace('.', '_'), value);
  }

  /** An environment variable. */
  Launch variable(String name, Object value) {
    environment.put(name, value.toString());
    return this;
  }

  /** Leaves out all variables but those given here. */
  Launch bare() {
    bare = true;
    return this;
  }

  /** The working directory. */
  Launch in(Path path) {
    directory = path.toFile();
    return this;
  }

  /**
   * The command, in which each {@code java} that the launcher starts as a rank loads its classes from an archive and,
   * unless the test says how its JVM is to compile and collect, is quick to start.
   */
  private List<String> withQuickRanks() {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < command.size(); i++) {
      words.add(command.get(i));
      if (i > 0 && isJava(command.get(i)) && !command.get(i - 1).equals("--core")) {
        words.addAll(ClassArchive.flags(jar()));
        if (i + 1 == command.size() || !command.get(i + 1).startsWith("-XX")) {
          words.addAll(QUICK_START);
        }
      }
    }
    return words;
  }

  private static boolean isJava(String word) {
    return word.equals("java") || word.equals(javaProgram().toString());
  }

  /** Starts it. */
  Child start() throws IOException {
    String mark = UUID.randomUUID().toString();
    ProcessBuilder builder = new ProcessBuilder(withQuickRanks()).directory(directory);
    Map<String, String> variables = builder.environment();
    variables
        .keySet()
        .removeIf(name -> bare || name.startsWith("ADRASTEA_") || name.endsWith("JAVA_OPTIONS"));
    variables.remove("JAVA_TOOL_OPTIONS"); // it makes a JVM print a line
    variables.putAll(environment);
    variables.put(MARK, mark);
    return new Child(builder.start(), mark);
  }

  /** Starts it in a process group of its own, its signals on, and waits until so many ranks have said "ready". */
  Child startReady(int ranks) throws Exception {
    Child job = under("setsid", "env", "--default-signal=INT,TERM,HUP").start(); // a shell may have switched them off
    try {
      for (int rank = 0; rank < ranks; rank++) {
        job.awaitOutput("^\\[" + rank + "\\] ready");
      }
      return job;
    } catch (Throwable e) {
      job.close();
      throw e;
    }
  }

  /** Runs it to its end, without input. */
  Outcome run() throws IOException, InterruptedException {
    try (Child child = start()) {
      return child.input("").await();
    }
  }

  /** The packed command line. */
  static Path jar() {
    return property("adrastea.cli.jar");
  }

  /** The packed command line with {@code bench}. */
  static Path benchJar() {
    return property("adrastea.bench.jar");
  }

  /** The project's root. */
  static Path root() {
    return property("adrastea.root");
  }

  /** The Java that runs this test. */
  static Path javaProgram() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }

  /** Where the programs of this package are. */
  static Path classes() {
    return Path.of(Launch.class.getProtectionDomain().getCodeSource().getLocation().getPath());
  }

  private static Path property(String name) {
    return Path.of(
        Objects.requireNonNull(System.getProperty(name), name + " is not set: run by mvn verify"));
  }
}
