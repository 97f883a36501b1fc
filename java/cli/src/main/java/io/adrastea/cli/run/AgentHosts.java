package io.adrastea.cli.run;

import io.adrastea.cli.base.CommandFailure;
import io.adrastea.cli.run.EndedRanks.Failure;
import io.adrastea.config.Tunable;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The ranks of a job that are started on hosts by agents. All hosts have to be there before the first rank is started.
 */
final class AgentHosts implements JobRanks {
  private static final int TOO_LATE = 126;
  private static final long MOST_START_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long END_NANOS = TimeUnit.SECONDS.toNanos(10); // SIGTERM, SIGKILL and the rest of the output
  private static final long WAITS_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int PIECE = 1 << 15;

  private final List<AgentHost> hosts;
  private final int reader;
  private final Semaphore changes = new Semaphore(0);
  private volatile boolean started;
  private volatile boolean over;

  /**
   * Ranks yet to be started.
   *
   * @param reader the rank that reads standard input; -1: none does
   * @param make makes hosts that call this when they are ready, or cannot go on
   */
  AgentHosts(int reader, Function<Runnable, List<AgentHost>> make) {
    this.reader = reader;
    this.hosts = make.apply(changes::release);
  }

  @Override
  public void start(RankEnds ends) throws InterruptedException {
    hosts.forEach(AgentHost::start);
    awaitAll();
    if (over) {
      return;
    }
    started = true;
    String meeting = hosts.getFirst().meeting();
    hosts.forEach(host -> host.startRanks(meeting));
    if (reader >= 0) {
      Thread.ofPlatform().daemon().name("standard input").start(this::feed);
    }
  }

  private void awaitAll() throws InterruptedException {
    long most = Math.min(MOST_START_NANOS, TimeUnit.MILLISECONDS.toNanos(Tunable.JOIN_TIMEOUT.intValue()));
    long deadline = System.nanoTime() + most;
    while (!over) {
      boolean late = !changes.tryAcquire(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      for (AgentHost host : hosts) {
        if (host.refusal() != null) {
          throw host.refusal();
        }
      }
      List<String> missing = hosts.stream().filter(host -> host.meeting() == null).map(AgentHost::name).toList();
      if (missing.isEmpty()) {
        return;
      }
      if (late && !over) {
        throw new CommandFailure(TOO_LATE,
            ("no answer of %s within %d s; its agent has to start a command there without asking for anything "
                + "(--agent, --join-timeout)").formatted(
                    missing.stream().map(name -> "host " + name).collect(Collectors.joining(", ")),
                    TimeUnit.NANOSECONDS.toSeconds(most)));
      }
    }
  }

  private void feed() {
    AgentHost host = hostOf(reader);
    byte[] piece = new byte[PIECE];
    try (InputStream in = new FileInputStream(FileDescriptor.in)) {
      awaitForeground();
      int length = in.read(piece);
      while (length >= 0 && host.give(piece, length)) {
        length = in.read(piece);
      }
    } catch (IOException e) {
      // there is no standard input
    } catch (InterruptedException e) {
      return; // nobody has a reason to
    }
    host.endInput();
  }

  /** A process in the background of a terminal that reads from it is stopped, and all else that it does with it. */
  private static void awaitForeground() throws InterruptedException {
    while (isInBackground()) {
      Thread.sleep(TimeUnit.SECONDS.toMillis(1));
    }
  }

  private static boolean isInBackground() {
    try {
      Path input = Files.readSymbolicLink(Path.of("/proc/self/fd/0"));
      if (!input.startsWith("/dev/pts") && !input.startsWith("/dev/tty")) {
        return false;
      }
      String stat = Files.readString(Path.of("/proc/self/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" "); // state, parent, group, session, ...
      return !fields[5].equals("-1") && !fields[5].equals(fields[2]); // the terminal's group
    } catch (IOException | ArrayIndexOutOfBoundsException e) {
      return false;
    }
  }

  private AgentHost hostOf(int rank) {
    return hosts.stream().filter(host -> host.has(rank)).findFirst().orElseThrow();
  }

  @Override
  public String name(int rank) {
    return "rank %d on host %s".formatted(rank, hostOf(rank).name());
  }

  @Override
  public String words(RankEnds.End end) {
    return hostOf(end.rank()).words(end);
  }

  @Override
  public Failure failure(int rank) {
    return hostOf(rank).failure(rank);
  }

  /** The others see that ranks have failed whose host is gone, and fail. */
  @Override
  public boolean isCause(int rank) {
    return rank >= 0 && hostOf(rank).isLost(rank);
  }

  @Override
  public boolean isAnyThere() {
    return hosts.stream().anyMatch(host -> !host.there(started).isEmpty());
  }

  @Override
  public Map<Integer, String> there() throws InterruptedException {
    Map<Integer, String> there = new TreeMap<>();
    if (started) {
      hosts.forEach(AgentHost::askWaits);
    }
    long deadline = System.nanoTime() + WAITS_NANOS;
    for (AgentHost host : hosts) {
      Map<Integer, String> waits = started ? host.waits(Math.max(0, deadline - System.nanoTime())) : Map.of();
      host.there(started).forEach(rank -> there.put(rank, waits.getOrDefault(rank, "")));
    }
    return there;
  }

  /** What others have to hear of it they are told on its host. */
  @Override
  public void add(RankEnds.End end) {}

  @Override
  public boolean isOpen() {
    return false;
  }

  @Override
  public void look() {}

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public synchronized void end() {
    over = true;
    changes.release();
    hosts.parallelStream().forEach(AgentHost::close);
    long deadline = System.nanoTime() + END_NANOS;
    hosts.forEach(host -> host.await(deadline));
  }

  /** Each host cleans up, and ends, by itself. */
  @Override
  public void finish() {}
}
