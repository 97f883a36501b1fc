package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class OutputTest {
  @TempDir
  Path directory;

  @Command(name = "probe")
  private static final class Probe {
    @Mixin
    private MeasureOptions options;
  }

  private static Output output(String... words) throws IOException {
    Probe probe = new Probe();
    new CommandLine(probe).parseArgs(words);
    return probe.options.output();
  }

  @Test
  void figuresAreTheSameInBothFilesWithWhatTheyWereTakenOn() throws IOException {
    Path csv = directory.resolve("f.csv");
    Path json = directory.resolve("f.json");
    List<String> figures = List.of(Csv.HEADER, "latency,ffm \"quoted\",8,p50,80.50,ns", "latency,\\,64,max,NaN,ns");
    try (Output output = output("--csv", csv.toString(), "--json", json.toString(), "--rounds", "3")) {
      output.csv(figures);
    }
    List<String> lines = Files.readAllLines(csv);
    int head = lines.indexOf(Csv.HEADER);
    assertEquals(figures, lines.subList(head, lines.size()));
    assertTrue(lines.contains("# setting: --rounds 3"), lines::toString);
    Map<?, ?> read = (Map<?, ?>) new Parser(Files.readString(json)).all();
    for (String fact : List.of("date", "commit", "machine", "cpus", "caches", "governor", "kernel", "jvm", "command")) {
      assertTrue(lines.subList(0, head).contains("# " + fact + ": " + read.get(fact)), fact + " in " + lines);
    }
    assertEquals("3", ((Map<?, ?>) read.get("settings")).get("--rounds"));
    List<?> all = (List<?>) read.get("figures");
    Map<String, Object> first = new LinkedHashMap<>();
    first.put("bench", "latency");
    first.put("variant", "ffm \"quoted\"");
    first.put("bytes", 8.0);
    first.put("metric", "p50");
    first.put("value", 80.5);
    first.put("unit", "ns");
    assertEquals(first, all.get(0));
    assertEquals("\\", ((Map<?, ?>) all.get(1)).get("variant"));
    assertEquals(null, ((Map<?, ?>) all.get(1)).get("value"));
    assertEquals(2, all.size());
  }

  @Test
  void aFileThatCannotBeWrittenAndOneForTwoAreRefusedByName() throws IOException {
    String file = directory.resolve("one").toString();
    refused("--json: cannot write '/missing/f.json': there is no such directory", "--json", "/missing/f.json");
    refused("--json: cannot write '" + directory + "'", "--json", directory.toString());
    refused("--csv and --json name the same file, '" + file + "'", "--csv", file, "--json", file);
    refused("--json and --html name the same file", "--json", file, "--html", directory + "/./one");
    Files.writeString(Path.of(file), "old");
    Files.createSymbolicLink(directory.resolve("link"), Path.of(file));
    refused("--csv and --json name the same file", "--csv", file, "--json", directory + "/link");
    assertEquals("old", Files.readString(Path.of(file)));
    assertFalse(Files.exists(Path.of("/missing")));
  }

  private static void refused(String reason, String... words) {
    String message = assertThrows(ParameterException.class, () -> output(words).close()).getMessage();
    assertTrue(message.startsWith(reason), message);
  }

  @Test
  void aCommitIsReadAndAnythingElseIsUnknown() {
    assertEquals("0123456789abcdef-dirty", Origin.commit("0123456789abcdef-dirty\n"));
    assertEquals("unknown", Origin.commit("fatal: not a git repository"));
    assertEquals("unknown", Origin.commit(""));
  }

  /** Reads JSON, and refuses what is not valid. */
  private static final class Parser {
    private final String text;
    private int at;

    Parser(String text) {
      this.text = text;
    }

    Object all() {
      Object value = value();
      assertEquals(' ', peek(), "nothing follows");
      return value;
    }

    private char peek() {
      while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
        at++;
      }
      return at < text.length() ? text.charAt(at) : ' ';
    }

    private boolean skip(char wanted) {
      boolean there = peek() == wanted;
      at += there ? 1 : 0;
      return there;
    }

    private void require(char wanted) {
      assertTrue(skip(wanted), () -> "'%c' is missing at %d of %s".formatted(wanted, at, text));
    }

    private Object value() {
      if (skip('{')) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (boolean more = !skip('}'); more; more = !end('}')) {
          require('"');
          String name = string();
          require(':');
          object.put(name, value());
        }
        return object;
      }
      if (skip('[')) {
        List<Object> array = new ArrayList<>();
        for (boolean more = !skip(']'); more; more = !end(']')) {
          array.add(value());
        }
        return array;
      }
      if (skip('"')) {
        return string();
      }
      int from = at;
      while ("+-.eE0123456789nul".indexOf(text.charAt(at)) >= 0) {
        at++;
      }
      String word = text.substring(from, at);
      return word.equals("null") ? null : Double.valueOf(word);
    }

    private boolean end(char last) {
      if (skip(last)) {
        return true;
      }
      require(',');
      return false;
    }

    private String string() {
      StringBuilder string = new StringBuilder();
      for (char one = text.charAt(at++); one != '"'; one = text.charAt(at++)) {
        assertTrue(one >= ' ', "a control character is not escaped");
        if (one == '\\') {
          one = text.charAt(at++);
          if (one == 'u') {
            one = (char) Integer.parseInt(text.substring(at, at + 4), 16);
            at += 4;
          }
        }
        string.append(one);
      }
      return string.toString();
    }
  }
}
