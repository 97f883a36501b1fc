package io.adrastea.arrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A source file: its room, and the text that the compiler sees, without comments.
 *
 * @param file its name, for messages
 * @param room package below {@code io.adrastea} ({@code api} for that one itself), or folder of C code
 * @param code its text
 */
record Source(String file, String room, String code) {
  /** Literals are kept, so that a {@code //} in one begins no comment. */
  private static final Pattern LITERAL_OR_COMMENT =
      Pattern.compile("(\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])*')|//[^\n]*|/\\*.*?\\*/",
          Pattern.DOTALL);

  private static final Pattern PACKAGE = Pattern.compile("^package io\\.adrastea([a-z0-9.]*);", Pattern.MULTILINE);
  private static final Pattern TYPE = Pattern.compile("\\bio\\.adrastea((?:\\.[a-z][a-z0-9]*)*)\\.(?:[A-Z]|\\*)");
  private static final Pattern INCLUDE = Pattern.compile("^\\s*#\\s*include\\s*[\"<]([a-z]+)/", Pattern.MULTILINE);
  private static final Pattern BARE_INCLUDE = Pattern.compile("^\\s*#\\s*include\\s*\"([^/\"]+)\"", Pattern.MULTILINE);

  private static final String IN_JAR =
      "(java/[^/]+|bench)/(src/main/java[0-9]*|target/generated-sources/fmpp)/.*\\.java";

  static Source java(String file, String text) {
    String code = withoutComments(text);
    Matcher name = PACKAGE.matcher(code);
    if (!name.find()) {
      throw new IllegalArgumentException(file + " is in no package of io.adrastea");
    }
    return new Source(file, room(name.group(1)), code);
  }

  static Source c(String file, String folder, String text) {
    return new Source(file, folder, withoutComments(text));
  }

  private static String room(String belowBase) {
    return belowBase.isEmpty() ? "api" : belowBase.substring(1);
  }

  private static String withoutComments(String text) {
    return LITERAL_OR_COMMENT
        .matcher(text)
        .replaceAll(found -> found.group(1) == null ? " " : Matcher.quoteReplacement(found.group(1)));
  }

  /** Rooms whose types a Java file names, in imports or in full. */
  Set<String> roomsUsedByJava() {
    return found(TYPE, found -> room(found.group(1)));
  }

  /**
   * Rooms whose headers a C file includes; a header named without its folder is a room of its own, which no picture
   * has.
   */
  Set<String> roomsUsedByC() {
    Set<String> rooms = found(INCLUDE, found -> found.group(1));
    rooms.removeAll(SYSTEM_FOLDERS);
    rooms.addAll(found(BARE_INCLUDE, found -> "\"" + found.group(1) + "\""));
    return rooms;
  }

  private static final Set<String> SYSTEM_FOLDERS = Set.of("sys", "linux", "netinet", "arpa", "asm", "bits");

  private Set<String> found(Pattern pattern, java.util.function.Function<MatchResult, String> name) {
    Set<String> rooms = new TreeSet<>();
    pattern.matcher(code).results().map(name).filter(other -> !other.equals(room)).forEach(rooms::add);
    return rooms;
  }

  /** Whether the file names a type, in full or by the last part of its name, or a package. */
  boolean names(String name) {
    String last = name.substring(name.lastIndexOf('.') + 1);
    String sought = Character.isUpperCase(last.charAt(0)) ? last : name;
    return Pattern.compile("\\b" + Pattern.quote(sought) + "\\b").matcher(code).find();
  }

  /** Every file below {@code java/} that goes into a jar, those that the build makes of templates too. */
  static List<Source> allJava(Path root) {
    return Stream.concat(files(root.resolve("java")), files(root.resolve("bench")))
        .filter(file -> root.relativize(file).toString().matches(IN_JAR))
        .filter(file -> !file.getFileName().toString().equals("module-info.java"))
        .map(file -> java(root.relativize(file).toString(), read(file)))
        .toList();
  }

  /**
   * Every file of the C core, its public headers and the benches' programs, whose room is called as their folder is.
   */
  static List<Source> allC(Path root) {
    Stream<Path> core =
        Stream.concat(files(root.resolve("native")), files(root.resolve("bench/native")))
            .filter(file -> root.relativize(file).toString().matches("(bench/)?native/[^/]+/[^/]+\\.[ch](\\.in)?"));
    Stream<Path> headers = files(root.resolve("include")).filter(file -> file.toString().endsWith(".h"));
    return Stream.concat(core, headers)
        .map(file -> c(root.relativize(file).toString(), file.getParent().getFileName().toString(), read(file)))
        .toList();
  }

  private static Stream<Path> files(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
