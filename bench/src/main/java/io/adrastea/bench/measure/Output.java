package io.adrastea.bench.measure;

import io.adrastea.bench.page.Page;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Where text, figures and page go; the files are opened before the run. */
public final class Output implements AutoCloseable {
  private static final String STANDARD_OUTPUT = "-";

  private final CommandLine command;
  private final boolean csvOnOutput;
  private final OutputFile csv;
  private final OutputFile json;
  private final OutputFile html;
  private final List<String> notes = new ArrayList<>();
  private Machine machine = Machine.here();

  /**
   * @param csv a file, {@code -} for standard output, or {@code null}
   * @param json a file or {@code null}
   * @param html a file or {@code null}
   */
  public Output(CommandLine command, String csv, String json, String html) throws IOException {
    requireApart(command, csv, json, html);
    this.command = command;
    this.csvOnOutput = STANDARD_OUTPUT.equals(csv);
    this.csv = csvOnOutput ? null : open("--csv", csv);
    OutputFile opened = null;
    try {
      opened = open("--json", json);
      this.html = open("--html", html);
    } catch (ParameterException e) {
      close(this.csv);
      close(opened);
      throw e;
    }
    this.json = opened;
  }

  /** Refuses one file for two of them: the second would replace the first. */
  private static void requireApart(CommandLine command, String csv, String json, String html) {
    String[] options = {"--csv", "--json", "--html"};
    String[] files = {csv, json, html};
    for (int i = 0; i < files.length; i++) {
      for (int j = i + 1; j < files.length; j++) {
        if (isSame(files[i], files[j])) {
          throw new ParameterException(command, "%s and %s name the same file, '%s'; each needs one of its own"
              .formatted(options[i], options[j], files[j]));
        }
      }
    }
  }

  private static boolean isSame(String one, String other) {
    if (one == null || other == null || one.equals(STANDARD_OUTPUT) || other.equals(STANDARD_OUTPUT)) {
      return false;
    }
    try {
      Path first = Path.of(one).toAbsolutePath().normalize();
      Path second = Path.of(other).toAbsolutePath().normalize();
      boolean regular = Files.isRegularFile(first) && Files.isRegularFile(second); // others keep nothing
      return first.equals(second) && (regular || !Files.exists(first)) || regular && Files.isSameFile(first, second);
    } catch (IOException | IllegalArgumentException e) {
      return false; // what cannot be opened is refused by its name
    }
  }

  private OutputFile open(String option, String file) {
    try {
      return file == null ? null : new OutputFile(Path.of(file));
    } catch (IOException | IllegalArgumentException e) {
      String message = "%s: cannot write '%s': %s".formatted(option, file, OutputFile.reason(e));
      throw new ParameterException(command, message, e);
    }
  }

  /** The writer of text for people; standard error when the figures go to standard output. */
  public PrintWriter text() {
    return csvOnOutput ? command.getErr() : command.getOut();
  }

  /** Says what the figures are taken on where ranks have other JVMs than those of most benches. */
  public void takenOn(Machine other) {
    machine = other;
  }

  /** Prints a line at once, and keeps it for the page. */
  public void note(String line) {
    notes.add(line);
    text().println(line);
    text().flush();
  }

  /** The lines noted so far. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /**
   * Writes the figures as CSV and as JSON, as far as they were asked for, with what they were taken on.
   *
   * @param lines those of the CSV, its head first
   */
  public void csv(List<String> lines) throws IOException {
    Origin origin = Origin.of(command, machine);
    List<String> all = new ArrayList<>(origin.comments());
    all.addAll(lines);
    if (csv != null) {
      csv.write(all);
    } else if (csvOnOutput) {
      all.forEach(command.getOut()::println);
      command.getOut().flush();
    }
    if (json != null) {
      json.write(origin.json(lines));
    }
  }

  /** Writes the page, if it was asked for. */
  public void html(Page page) throws IOException {
    if (html != null) {
      html.write(List.of(page.html()));
    }
  }

  @Override
  public void close() throws IOException {
    close(csv);
    close(json);
    close(html);
  }

  private static void close(OutputFile file) throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
