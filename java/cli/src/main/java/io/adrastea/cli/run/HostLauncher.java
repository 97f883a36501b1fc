package io.adrastea.cli.run;

import io.adrastea.cli.base.CommandFailure;
import io.adrastea.cli.base.Version;
import io.adrastea.cli.place.Binding;
import io.adrastea.cli.place.Placement;
import io.adrastea.cli.run.EndedRanks.Failure;
import io.adrastea.cli.run.Parts.Part;
import io.adrastea.config.Tunable;
import io.adrastea.error.AdrasteaException;
import io.adrastea.launch.LaunchEnvironment;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * What stands for the launcher of a job on one of its hosts, where an {@link AgentHost} has had it started: it starts
 * the ranks of this host, and tells the launcher what becomes of them. Whether the job goes on, the launcher says. The
 * end of standard input means that it has gone, or wants all to end.
 */
final class HostLauncher {
  /** The option by which {@code run} becomes this. */
  static final String OPTION = "--of-host";

  private static final int TERMINATED = 128 + 15;
  private static final byte[] NO_MORE = {};

  private final DataInputStream commands = new DataInputStream(
      new BufferedInputStream(new FileInputStream(FileDescriptor.in)));
  private final BlockingQueue<byte[]> input = new LinkedBlockingQueue<>(); // as much as the launcher has under way
  private Output output; // null: there is none yet
  private LocalRanks ranks;

  /** Does all of that. To be called by a thread that lives as long as this process. */
  int run() throws InterruptedException {
    report(HostReport.of(HostReport.Kind.HELLO, Version.text()));
    try {
      HostJob job = HostJob.read(commands);
      RunArguments arguments = RunArguments.parse(job.words());
      try {
        return run(job, arguments);
      } catch (CommandFailure e) {
        return refuse(e.exitCode(), e.getMessage());
      } catch (IllegalArgumentException | ParameterException | AdrasteaException e) {
        return refuse(CommandLine.ExitCode.USAGE, e.getMessage());
      }
    } catch (IOException e) {
      return TERMINATED; // the launcher has gone
    }
  }

  private int refuse(int code, String reason) {
    report(new HostReport(HostReport.Kind.REFUSED, -1, code, false, reason));
    return code;
  }

  private synchronized void report(HostReport report) {
    if (output == null) {
      System.err.println(report.line());
    } else {
      output.err.writeLine(report.line());
    }
  }

  private int run(HostJob job, RunArguments arguments) throws IOException, InterruptedException {
    Map<String, String> common = settings(job, arguments);
    List<Part> parts = Parts.of(arguments, job.origin(), job.size());
    List<Binding> bindings = Parts.bindings(parts).subList(job.first(), job.first() + job.count());
    Placement placement = arguments.job.place(bindings);
    RunCommand.sharing(placement).ifPresent(this::say);
    StreamOptions streams = arguments.streams;
    RankEnds ends = new RankEnds(Long.MAX_VALUE);
    RankFiles files = streams.files(job);
    synchronized (this) {
      output = new Output(true, streams.labelled(job.size()), streams.stamped(), files, ends::addNobody);
    }
    boolean isFirst = job.first() == 0 && !job.isWhole();
    String meeting = isFirst ? MeetingPlace.choose(job, System.getenv("SSH_CONNECTION")) : "";
    report(HostReport.of(HostReport.Kind.READY, meeting));
    commands.readByte();
    String rendezvous = HostJob.readWord(commands);
    LaunchEnvironment environment =
        LaunchEnvironment.onHost(job.job(), job.size(), rendezvous.isEmpty() ? null : rendezvous);
    ranks = new LocalRanks(RankPlan.ofAll(parts, environment, common, job.first(), placement), environment, job.node(),
        streams.reader(job.size()), Redirect.PIPE, output, this::say);
    Runtime.getRuntime().addShutdownHook(new Thread(this::stopAndDrain, "end of the launcher"));
    Thread.ofPlatform().daemon().name("commands").start(this::obey);
    ranks.start(ends);
    Thread.ofPlatform().daemon().name("standard input").start(this::feed);
    tellEnds(ends, job.count(), arguments.job.keepGoing);
    output.drain(Long.MAX_VALUE);
    return 0;
  }

  /** Settings of the launcher's environment become those of this process, as the launcher's own are. */
  private static Map<String, String> settings(HostJob job, RunArguments arguments) {
    Map<String, String> given = job.origin().environment();
    Tunable.all().stream().filter(setting -> given.containsKey(setting.variable()))
        .forEach(setting -> System.setProperty(setting.property(), given.get(setting.variable())));
    Map<String, String> common = new HashMap<>(given);
    common.putAll(arguments.job.settings(job.origin().directory()));
    return common;
  }

  private void say(String what) {
    report(HostReport.of(HostReport.Kind.SAY, what));
  }

  private void tellEnds(RankEnds ends, int count, boolean keepGoing) throws InterruptedException {
    boolean failed = false;
    for (int left = count; left > 0; left--) {
      RankEnds.End end = ends.next(ranks::isOpen, ranks::look);
      if (end.rank() == RankEnds.NOBODY) {
        break; // the launcher has gone
      }
      Failure failure = end.status().ok() ? Failure.UNKNOWN : ranks.failure(end.rank());
      report(new HostReport(HostReport.Kind.ENDED, end.rank(), end.status().code(), failure.aborts(),
          failure.reason()));
      failed |= !end.status().ok();
      if (end.status().ok() || keepGoing) {
        ranks.add(end);
      }
    }
    if (failed) {
      ranks.end(); // what they have left
    } else {
      ranks.finish();
    }
  }

  private void obey() {
    try {
      while (true) {
        switch (AgentHost.Command.values()[commands.readByte()]) {
          case INPUT -> input.add(HostJob.readBytes(commands));
          case END_OF_INPUT -> input.add(NO_MORE);
          case WAITS -> tellWaits();
          case START -> throw new IOException("the ranks are started once");
        }
      }
    } catch (IOException | ArrayIndexOutOfBoundsException e) {
      System.exit(TERMINATED); // the hook ends the ranks
    }
  }

  private void tellWaits() {
    ranks.there().forEach((rank, words) -> {
      if (!words.isEmpty()) {
        report(new HostReport(HostReport.Kind.WAITS, rank, 0, false, words));
      }
    });
    report(HostReport.of(HostReport.Kind.WAITS, ""));
  }

  /** Gives what comes to the rank that reads it; that it has ended, or reads no more, changes nothing for others. */
  private void feed() {
    boolean reads = true;
    try (OutputStream to = ranks.input()) {
      byte[] piece = input.take();
      while (piece.length > 0) {
        reads = reads && write(to, piece);
        report(HostReport.of(HostReport.Kind.READ, ""));
        piece = input.take();
      }
    } catch (IOException e) {
      // it was closed before
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean write(OutputStream to, byte[] piece) {
    try {
      if (to != null) {
        to.write(piece);
        to.flush();
      }
      return to != null;
    } catch (IOException e) {
      return false;
    }
  }

  private void stopAndDrain() {
    output.err.holdNoMore();
    ranks.end();
    try {
      output.drain(RankGroup.DRAIN_NANOS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // then without the rest
    }
  }
}
