package io.adrastea.style;

import static io.adrastea.style.Sources.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two files of a room that name each other cannot be read, or changed, one without the other. Rooms that were cut so
 * that none do stay so; in others there are no more such pairs than there were.
 */
class FilePairsTest {
  private static final Path TRANSPORT = ROOT.resolve("java/transport/src/main/java/io/adrastea");
  private static final Pattern JAVA = Pattern.compile(".*\\.java");
  private static final Pattern NO_CODE = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*|\"(\\\\.|[^\"\\\\\n])*\"");

  /** The code of the files of a folder, by their names, without comments and texts. */
  private static Map<String, String> code(Path room) throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (var files = Files.list(room)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = file.getFileName().toString();
        if (JAVA.matcher(name).matches() && !name.equals("package-info.java")) {
          found.put(name.replace(".java", ""), NO_CODE.matcher(Files.readString(file)).replaceAll(""));
        }
      }
    }
    return found;
  }

  private static boolean names(String code, String name) {
    return Pattern.compile("\\b" + name + "\\b").matcher(code).find();
  }

  /** The pairs of names whose code names each other. */
  static List<String> pairs(Map<String, String> code) {
    List<String> found = new ArrayList<>();
    code.forEach((one, its) -> code.forEach((other, others) -> {
      if (one.compareTo(other) < 0 && names(its, other) && names(others, one)) {
        found.add(one + " and " + other);
      }
    }));
    return found;
  }

  @ParameterizedTest
  @CsvSource({"engine/collective, 0", "., 18"})
  void thereAreNoMoreThanThereWere(String room, int most) throws IOException {
    Map<String, String> code = code(TRANSPORT.resolve(room));
    assertTrue(code.size() > 10, "files found: " + code.keySet());
    List<String> found = pairs(code);
    assertTrue(
        found.size() <= most, "%d pairs in %s, where %d are allowed: %s".formatted(found.size(), room, most, found));
  }

  @Test
  void aPairIsFoundInCodeAlone() {
    assertEquals(List.of("A and B"), pairs(new TreeMap<>(Map.of("A", "B b;", "B", "A a;", "C", "A a; Bee b;"))));
    assertEquals(" x ", NO_CODE.matcher("/* A\n */ /** B */x // A\n".strip()).replaceAll(""));
  }
}
