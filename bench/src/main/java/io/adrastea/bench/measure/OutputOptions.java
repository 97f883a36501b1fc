package io.adrastea.bench.measure;

import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of commands that write their figures to files. */
public final class OutputOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = {
        "Write the figures as bench,variant,bytes,metric,value,unit, below lines that begin with # and tell date,"
            + " commit, machine, JVM and settings.",
        "'-' is standard output; all else then goes to standard error."
      })
  private String csv;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the same as one JSON object: date, commit, machine, JVM, settings and figures.")
  private String json;

  /** Creates the options for the command line. */
  public OutputOptions() {}

  /**
   * Opens what the options name.
   *
   * @param html the file for a page, or {@code null}
   */
  public Output open(String html) throws IOException {
    return new Output(spec.commandLine(), csv, json, html);
  }

  /** The file for the CSV, {@code -}, or {@code null}. */
  public String csv() {
    return csv;
  }

  /** The file for the JSON, or {@code null}. */
  public String json() {
    return json;
  }
}
