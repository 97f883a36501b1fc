package io.adrastea.cli.run;

import io.adrastea.launch.LaunchEnvironment;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;

/**
 * Removes the segment's file when this process is killed ({@code kill -9}) while that has a name: a shell that waits
 * for the end of this process. By then the ranks have been killed as well ({@link DeathSignal}), so none of them does
 * it. Where there is no such shell, the next job of this user removes the file.
 */
final class SegmentGuard implements AutoCloseable {
  /**
   * A line means that all is well; the end of input without one, that we are gone. A rank that is just about to make
   * the file is waited for; a process of another user is none.
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

  private final Process shell; // null: there is none

  private SegmentGuard(Process shell) {
    this.shell = shell;
  }

  /**
   * One for a job, in a session of its own, where no Ctrl-C reaches it.
   *
   * @param file its segment's
   * @param job its id, 16 hex digits
   */
  static SegmentGuard start(Path file, String job) {
    ProcessBuilder builder = new ProcessBuilder("setsid", "sh", "-c", SCRIPT, file.toAbsolutePath().toString(), job);
    // In a job within a job it is none of the outer one's.
    builder.environment().keySet().removeAll(LaunchEnvironment.variables());
    try {
      return new SegmentGuard(builder.redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD).start());
    } catch (IOException e) {
      return new SegmentGuard(null);
    }
  }

  /** The job has ended in order: nothing is left to be removed. */
  @Override
  public void close() {
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
