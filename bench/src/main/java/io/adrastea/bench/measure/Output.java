package io.adrastea.bench.measure;

import io.adrastea.bench.page.Page;
import java.io.IOException;
import java.io.PrintWriter;
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
  private final OutputFile html;
  private final List<String> notes = new ArrayList<>();

  /**
   * @param csv a file, {@code -} for standard output, or {@code null}
   * @param html a file or {@code null}
   */
  public Output(CommandLine command, String csv, String html) throws IOException {
    this.command = command;
    this.csvOnOutput = STANDARD_OUTPUT.equals(csv);
    this.csv = csvOnOutput ? null : open("--csv", csv);
    try {
      this.html = open("--html", html);
    } catch (ParameterException e) {
      close(this.csv);
      throw e;
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

  /** For people; standard error when the figures go to standard output. */
  public PrintWriter text() {
    return csvOnOutput ? command.getErr() : command.getOut();
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

  /** Writes the figures, if they were asked for. */
  public void csv(List<String> lines) throws IOException {
    if (csv != null) {
      csv.write(lines);
    } else if (csvOnOutput) {
      lines.forEach(command.getOut()::println);
      command.getOut().flush();
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
    close(html);
  }

  private static void close(OutputFile file) throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
