package io.adrastea.cli;

import io.adrastea.cli.base.CommandFailure;
import io.adrastea.cli.base.Version;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Stands for {@code bench} where the jar that has it is missing, whatever is to be measured. */
@Command(
    name = "bench",
    description = "Measures messages between ranks beside the floor of the machine: by bin/adrastea or the jar "
        + "adrastea-bench.")
final class MissingBench implements Runnable {
  @Unmatched
  private List<String> words;

  @Override
  public void run() {
    throw new CommandFailure(
        CommandLine.ExitCode.USAGE,
        "'bench' is not in this jar but in adrastea-bench-%s.jar, which has all commands; in a source tree it is in the"
            .formatted(Version.text()) + " folder bench/target, and bin/adrastea builds and takes it");
  }
}
