package io.adrastea.cli.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of where the ranks' standard input comes from, and where their output goes. */
final class StreamOptions {
  private static final String NO_RANK = "none";

  @Option(
      names = "--label",
      paramLabel = "auto|always|never",
      description = {
        "[rank] before each line of output (default: auto, with two ranks or",
        "more, and not in the files of --output)."
      })
  private Label label = Label.auto;

  @Option(names = "--tag-output", hidden = true, description = "The word of mpirun for --label always.")
  private boolean tagged;

  @Option(
      names = "--timestamp",
      description = {
        "Before each line of output the time at which the launcher read it, as in",
        "2026-01-31T12:00:00.000+01:00."
      })
  private boolean stamped;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = {
        "The output of each rank goes to a file in this directory instead of the",
        "terminal: rank-0.out has what rank 0 writes to standard output and to",
        "standard error. The directory is made when it is missing, and refused",
        "when it has such files already."
      })
  private Path directory;

  @Option(
      names = "--stdin",
      paramLabel = "RANK|none",
      completionCandidates = Readers.class,
      description = "The rank that reads standard input; the others read nothing (default: 0).")
  private String reader = "0";

  /** Whether lines carry their rank in a job of so many ranks. */
  boolean labelled(int size) {
    Label chosen = tagged ? Label.always : label;
    return chosen == Label.always || chosen == Label.auto && size > 1 && directory == null;
  }

  /** Whether lines carry the time at which they were read. */
  boolean stamped() {
    return stamped;
  }

  /**
   * The files that take the place of standard output and standard error, made here.
   *
   * @return {@code null}: there are none
   * @throws io.adrastea.cli.base.CommandFailure when they cannot be made
   */
  RankFiles files(int size) {
    return directory == null ? null : RankFiles.create(directory, size);
  }

  /**
   * The files of the ranks of one host, made here.
   *
   * @param job of theirs
   * @return {@code null}: there are none
   * @throws io.adrastea.cli.base.CommandFailure when they cannot be made
   */
  RankFiles files(HostJob job) {
    return directory == null ? null
        : RankFiles.create(job.origin().directory().resolve(directory), job.size(), job.first(), job.count());
  }

  /**
   * Refuses a directory for files of hosts that has some here.
   *
   * @throws io.adrastea.cli.base.CommandFailure when there are some
   */
  void requireUnused() {
    if (directory != null) {
      RankFiles.requireUnused(directory);
    }
  }

  /**
   * The rank that reads standard input.
   *
   * @return -1: no rank does
   * @throws IllegalArgumentException when a job of so many ranks does not have it
   */
  int reader(int size) {
    if (reader.equals(NO_RANK)) {
      return -1;
    }
    if (!reader.matches("\\d{1,9}") || Integer.parseInt(reader) >= size) {
      String ranks = size == 1 ? "0, the only rank" : "a rank from 0 to " + (size - 1);
      String all = reader.equals("all") ? "; one rank reads it, and broadcasts what others need" : "";
      throw new IllegalArgumentException("--stdin is '%s'; allowed is %s, or none%s".formatted(reader, ranks, all));
    }
    return Integer.parseInt(reader);
  }

  /** What a shell completes. */
  private static final class Readers extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    Readers() {
      super(List.of("0", NO_RANK));
    }
  }

  /** Whether lines of output carry their rank; the names are the words of the option. */
  enum Label {
    /** Labels lines in a job of two ranks or more. */
    auto,
    /** Labels each line. */
    always,
    /** Labels no line. */
    never
  }
}
