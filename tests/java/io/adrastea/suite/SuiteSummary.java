package io.adrastea.suite;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Prints how many tests a build ran and which it skipped, and why: the last that {@code mvn verify} says.
 * {@code SuiteSummary STARTED C_TESTS
 * REPORTS...}: reports in these folders that are not older than the instant STARTED count; C_TESTS is a folder in which
 * {@code tests/all.sh} has left {@code c-tests.txt}.
 */
public final class SuiteSummary {
  private static final String C_REPORT = "c-tests.txt";
  private static final String ASSUMPTION = "Assumption failed: ";

  private final Instant started;
  private final TreeMap<String, Set<String>> skipped = new TreeMap<>(); // classes by reason
  private int all;
  private int ran;

  private SuiteSummary(Instant started) {
    this.started = started;
  }

  public static void main(String[] words) throws Exception {
    SuiteSummary summary = new SuiteSummary(Instant.parse(words[0]));
    for (String folder : List.of(words).subList(2, words.length)) {
      for (Path report : summary.fresh(Path.of(folder), "TEST-.*\\.xml")) {
        summary.add(report);
      }
    }
    summary.print(System.out);
    List<Path> found = summary.fresh(Path.of(words[1]), C_REPORT);
    for (Path report : found) {
      Files.readAllLines(report).forEach(System.out::println);
    }
    if (found.isEmpty()) {
      System.out.println("C tests: none ran in this build");
    }
  }

  private List<Path> fresh(Path folder, String name) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.getFileName().toString().matches(name)).filter(this::isFresh).sorted().toList();
    }
  }

  private boolean isFresh(Path file) {
    try {
      return !Files.getLastModifiedTime(file).toInstant().isBefore(started);
    } catch (IOException e) {
      return false; // gone meanwhile
    }
  }

  private void add(Path report) throws IOException, SAXException, ParserConfigurationException {
    Element suite =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(report.toFile()).getDocumentElement();
    all += Integer.parseInt(suite.getAttribute("tests"));
    ran += Integer.parseInt(suite.getAttribute("tests")) - Integer.parseInt(suite.getAttribute("skipped"));
    NodeList skips = suite.getElementsByTagName("skipped");
    for (int i = 0; i < skips.getLength(); i++) {
      Element skip = (Element) skips.item(i);
      String name = ((Element) skip.getParentNode()).getAttribute("classname").replaceFirst(".*\\.", "");
      String why = reason(skip);
      skipped.computeIfAbsent(why.isBlank() ? "it does not say why" : why, key -> new TreeSet<>()).add(name);
    }
  }

  /** An assumption of a set-up method has no message, but the first line of what was thrown. */
  private static String reason(Element skip) {
    String message = skip.getAttribute("message");
    String said = message.isBlank() ? skip.getTextContent().lines().findFirst().orElse("") : message;
    return said.substring(said.indexOf(ASSUMPTION) < 0 ? 0 : said.indexOf(ASSUMPTION) + ASSUMPTION.length());
  }

  private void print(PrintStream out) {
    out.printf("Java tests: %d of %d ran%s%n", ran, all, skipped.isEmpty() ? "" : ". Skipped:");
    skipped.forEach((why, classes) -> out.printf("  %s: %s%n", String.join(", ", classes), why));
  }
}
