package io.adrastea.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The pages that {@code adrastea man} prints: that roff understands them, and that they say what the help says. */
class ManPageTest {
  private static final Set<String> MACROS = Set.of("TH", "SH", "TP", "PP", "nf", "fi");
  private static final Pattern ESCAPE = Pattern.compile("\\\\(e|-|&|f[BR]|\\((ha|ti|ga|aq|dq))");

  static List<String> commands() {
    List<String> names = new ArrayList<>();
    add(Main.commandLine(), "", names);
    return names;
  }

  private static void add(CommandLine command, String name, List<String> names) {
    names.add(name);
    command.getSubcommands().forEach((word, inner) -> add(inner, (name + " " + word).trim(), names));
  }

  private static String page(String command) {
    String words = ("man " + command).trim();
    CommandLineRun run = CommandLineRun.here(words.split(" "));
    assertEquals(0, run.exitCode(), run::toString);
    return run.out();
  }

  /** The page as a reader sees it; its words stand in one line, since lines are filled and hyphenated. */
  private static String rendered(String page) throws Exception {
    Process groff = new ProcessBuilder("groff", "-man", "-Tutf8", "-ww", "-P-c", "-rLL=400n").start();
    try (OutputStream in = groff.getOutputStream()) {
      in.write(page.getBytes(StandardCharsets.UTF_8));
    }
    String text = new String(groff.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("", new String(groff.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
    assertEquals(0, groff.waitFor());
    return text.replaceAll(".\b", "").replaceAll("\\s+", " ");
  }

  private static boolean hasGroff() {
    return Stream.of(System.getenv("PATH").split(":")).anyMatch(folder -> Files.isExecutable(Path.of(folder, "groff")));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void shouldHaveOnlyMacrosAndEscapesOfManPages(String command) {
    List<String> lines = page(command).lines().toList();
    assertTrue(lines.getFirst().startsWith(".TH \"ADRASTEA"), lines.getFirst());
    assertEquals(".SH NAME", lines.get(1));
    for (String line : lines) {
      if (line.startsWith(".")) {
        assertTrue(MACROS.contains(line.substring(1).split(" ")[0]), line);
      }
      assertTrue(!line.startsWith("'") && !ESCAPE.matcher(line).replaceAll("").contains("\\"), line);
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void shouldBeRenderedWithoutAWarning(String command) throws Exception {
    assumeTrue(hasGroff(), "groff is not there (apt-get install groff)");
    assertTrue(rendered(page(command)).contains("SYNOPSIS"));
  }

  @Test
  void shouldNameEachOptionOfTheHelpAndNoHiddenOne() {
    String page = page("run").replace("\\-", "-");
    CommandLine run = Main.commandLine().getSubcommands().get("run");
    run.getCommandSpec().options().forEach(
        option -> assertEquals(!option.hidden(), page.contains("\\fB" + String.join(", ", option.names())),
            option.longestName()));
  }

  @Test
  void shouldKeepLinesThatRoffWouldTakeForItsOwn() throws Exception {
    assumeTrue(hasGroff(), "groff is not there (apt-get install groff)");
    @CommandLine.Command(name = "odd", description = {".TH is a macro", "'quoted' and back\\slash, ~ ^ ` -x"})
    class Odd {}
    String text = rendered(ManPage.of(new CommandLine(new Odd())));
    assertTrue(text.contains(".TH is a macro 'quoted' and back\\slash, ~ ^ ` -x"), text);
  }
}
