package io.adrastea.cli.run;

import io.adrastea.launch.LaunchEnvironment;
import io.adrastea.segment.SegmentFile;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The segment's file of a job, which is removed however the job ends. Once all ranks have attached, it has no name any
 * more. Before that this process removes it at the end of the job. When this process is killed ({@code kill -9}), a
 * shell that waits for its end does; by then the ranks have been killed as well ({@link Prefixes#ofDeathSignal}), so
 * none of them does it. Where there is no such shell, the next job of this user removes the file.
 */
final class JobFile {
  /**
   * A line means that all is well; the end of input without one, that we are gone. A rank that is just about to make
   * the file is waited for; a process of another user is not taken for such a rank.
   */
  private static final String SCRIPT =
      """
          trap '' TERM INT HUP
          read -r line && exit
          looks=0
          job=$1
          lives() {
            set --
            for process in /proc/[0-9]*; do
              [ -O "$process" ] && set -- "$@" "$process/environ"
            done
            grep -qs "ADRASTEA_JOB=$job" "$@" /dev/null
          }
          while rm -f -- "$0"; [ $looks -lt 50 ] && lives; do
            looks=$((looks + 1))
            sleep 0.2
          done
          rm -f -- "$0"
          """;

  private final String job;
  private final Path file;
  private Process shell; // null: there is none

  /** The file of the job of this id, 16 hex digits, on the node of this number, in the directory in force. */
  JobFile(String job, int node) {
    this.job = job;
    this.file = SegmentFile.path(SegmentFile.directory(), Long.parseUnsignedLong(job, 16), node);
  }

  /** How the file is called, as another process sees it in {@code /proc}, once it has no name. */
  String nameWhenGone() {
    return file.getFileName() + " (deleted)";
  }

  /** Starts the shell, in a session of its own, where no Ctrl-C reaches it. */
  void guard() {
    ProcessBuilder builder = new ProcessBuilder("setsid", "sh", "-c", SCRIPT, file.toAbsolutePath().toString(), job);
    // In a job within a job the shell does not belong to the outer one.
    builder.environment().keySet().removeAll(LaunchEnvironment.variables());
    try {
      shell = builder.redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD).start();
    } catch (IOException e) {
      shell = null;
    }
  }

  /** Removes the file, after all ranks have ended, and ends the shell. */
  void remove() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      System.err.println("adrastea: cannot remove " + file + ": " + SegmentFile.reason(e));
    }
    if (shell == null) {
      return;
    }
    try (OutputStream line = shell.getOutputStream()) {
      line.write('\n');
    } catch (IOException e) {
      // somebody has ended it
    }
    shell.onExit().join();
  }
}
