package io.adrastea.cli.run;

import io.adrastea.cli.base.CommandFailure;
import io.adrastea.cli.base.ExitStatus;
import io.adrastea.cli.base.Version;
import io.adrastea.cli.run.EndedRanks.Failure;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One host of a job, as its launcher sees it: an agent (ssh, or what stands in for it) that has started a
 * {@link HostLauncher} there. That reads what it is to do from its standard input, whose end, however it comes, ends
 * its ranks; it tells by {@link HostReport}s what becomes of them.
 */
final class AgentHost {
  private static final int NOT_FOUND = 127;
  private static final int LOST = 255; // as ssh says it
  private static final long LOCK_MILLIS = 200;
  private static final long LAST_WORDS_MILLIS = 1000;
  private static final int WINDOW = 4; // pieces of standard input that are under way
  private static final List<String> JVM_FLAGS = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private final HostJob job;
  private final List<String> agent;
  private final String main;
  private final Output output;
  private final RankEnds ends;
  private final Runnable changed;
  private final Map<Integer, Failure> failures = new ConcurrentHashMap<>();
  private final Map<Integer, String> waits = new ConcurrentHashMap<>();
  private final boolean[] ended; // by rank, from the lowest on
  private final ReentrantLock sending = new ReentrantLock();
  private final Semaphore window = new Semaphore(WINDOW);
  private volatile CountDownLatch toldWaits = new CountDownLatch(0);
  private volatile String meeting; // where ranks meet; null: it is not ready
  private volatile CommandFailure refusal; // why it cannot go on; null: it can
  private volatile String loss = ""; // why its ranks are lost; empty: they are not
  private volatile boolean hasGreeted;
  private volatile boolean over;
  private Process process;
  private DataOutputStream commands;

  /**
   * A host yet to be reached.
   *
   * @param agent the words before its name
   * @param main name of the class that is to be started there
   * @param output where that of its ranks goes
   * @param ends hears of theirs
   * @param changed is called when it is ready, or cannot go on
   */
  AgentHost(HostJob job, List<String> agent, String main, Output output, RankEnds ends, Runnable changed) {
    this.job = job;
    this.agent = agent;
    this.main = main;
    this.output = output;
    this.ends = ends;
    this.changed = changed;
    this.ended = new boolean[job.count()];
  }

  /** What is sent behind the job: the ranks are to start, and pieces of standard input, or its end. */
  enum Command {
    START, INPUT, END_OF_INPUT, WAITS
  }

  String name() {
    return job.host();
  }

  int first() {
    return job.first();
  }

  boolean has(int rank) {
    return rank >= job.first() && rank < job.first() + job.count();
  }

  /**
   * Starts the agent, in a session of its own where no Ctrl-C reaches it: the launcher ends it when the ranks have
   * ended.
   *
   * @throws CommandFailure when there is no such program
   */
  synchronized void start() {
    if (over) {
      return;
    }
    List<String> command = new ArrayList<>(List.of("setsid"));
    command.addAll(agent);
    command.add(job.host());
    command.addAll(there());
    try {
      process = new ProcessBuilder(command).start();
    } catch (IOException e) {
      throw new CommandFailure(NOT_FOUND,
          "the agent of host %s cannot be started: %s".formatted(job.host(), e.getMessage()));
    }
    commands = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
    Thread errors = output.carryHost(job.host(), process, this::read);
    process.onExit().thenAccept(gone -> Thread.ofPlatform().daemon().start(() -> take(gone.exitValue(), errors)));
    Thread.ofPlatform().daemon().name("host " + job.host() + " input").start(this::sendJob);
  }

  /** The words that are executed there. */
  private List<String> there() {
    String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(file -> Path.of(file).toAbsolutePath().toString()).collect(Collectors.joining(File.pathSeparator));
    List<String> words = new ArrayList<>(List.of(java()));
    words.addAll(JVM_FLAGS);
    words.addAll(List.of("-cp", classPath, main, "run", HostLauncher.OPTION));
    return words.stream().map(AgentHost::quoted).toList();
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** A word as a shell reads it; one that needs no quotes has none, so that an agent without a shell works as well. */
  static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./:=+,@%-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  private void sendJob() {
    sending.lock();
    try {
      job.write(commands);
      commands.flush();
    } catch (IOException e) {
      // it has ended, of which its end tells
    } finally {
      sending.unlock();
    }
  }

  /** Sends a command; {@code false}: there is nobody any more. */
  private boolean send(Command command, String word, byte[] bytes, int length) {
    sending.lock();
    try {
      commands.writeByte(command.ordinal());
      if (word != null) {
        HostJob.write(commands, word);
      }
      if (bytes != null) {
        commands.writeInt(length);
        commands.write(bytes, 0, length);
      }
      commands.flush();
      return true;
    } catch (IOException e) {
      return false;
    } finally {
      sending.unlock();
    }
  }

  /** Where ranks are to meet, as the host of rank 0 says; {@code null}: it is not ready. */
  String meeting() {
    return meeting;
  }

  /** Why it cannot go on; {@code null}: it can. */
  CommandFailure refusal() {
    return refusal;
  }

  /** Has the ranks started, which meet there. */
  void startRanks(String rendezvous) {
    send(Command.START, rendezvous, null, 0);
  }

  /**
   * Gives a piece of standard input to the rank that reads it; waits while it has enough of it.
   *
   * @return whether there is somebody who reads
   */
  boolean give(byte[] bytes, int length) throws InterruptedException {
    while (!window.tryAcquire(LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS)) {
      if (over || !process.isAlive()) {
        return false;
      }
    }
    return send(Command.INPUT, null, bytes, length);
  }

  /** Tells that there is no more standard input. */
  void endInput() {
    send(Command.END_OF_INPUT, null, null, 0);
  }

  /** Lines of its standard error: reports, and what is between them. */
  private void read(byte[] lines, int length) {
    int from = 0;
    int begin = 0; // of what is no report
    while (from < length) {
      int end = from;
      while (end < length && lines[end] != '\n') {
        end++;
      }
      if (lines[from] == HostReport.MARK) {
        var report = HostReport.read(new String(lines, from, end - from, StandardCharsets.UTF_8));
        if (report.isPresent()) {
          pass(lines, begin, from);
          begin = Math.min(end + 1, length);
          take(report.get());
        }
      }
      from = end + 1;
    }
    pass(lines, begin, length);
  }

  private void pass(byte[] lines, int begin, int end) {
    if (end > begin) {
      byte[] text = new byte[end - begin];
      System.arraycopy(lines, begin, text, 0, text.length);
      output.err.write(text, text.length);
    }
  }

  private void take(HostReport report) {
    switch (report.kind()) {
      case HELLO -> greet(report.text());
      case READY -> {
        meeting = report.text();
        changed.run();
      }
      case REFUSED -> refuse(report.code(), report.text());
      case ENDED -> end(report);
      case WAITS -> {
        if (report.rank() < 0) {
          toldWaits.countDown();
        } else {
          waits.put(report.rank(), report.text());
        }
      }
      case READ -> window.release();
      case SAY -> RankGroup.say("host " + job.host() + ": " + report.text());
    }
  }

  private void greet(String version) {
    hasGreeted = true;
    if (!version.equals(Version.text())) {
      refuse(NOT_FOUND, "it has Adrastea %s there, and this is %s; install the same on all hosts".formatted(version,
          Version.text()));
    }
  }

  private void refuse(int code, String reason) {
    if (refusal == null) {
      refusal = new CommandFailure(code, "host %s: %s".formatted(job.host(), reason));
      changed.run();
    }
  }

  private void end(HostReport report) {
    if (has(report.rank()) && !ended[report.rank() - job.first()]) {
      failures.put(report.rank(), new Failure(report.text(), report.flag()));
      endRank(report.rank(), new ExitStatus(report.code()));
    }
  }

  private synchronized void endRank(int rank, ExitStatus status) {
    ended[rank - job.first()] = true;
    ends.add(rank, status);
  }

  /** The agent has ended: with it the ranks of which it has not told that. */
  private void take(int code, Thread errors) {
    try {
      errors.join(LAST_WORDS_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    ExitStatus status = new ExitStatus(code);
    loss = "was lost with its host: the agent (%s) %s".formatted(agent.getFirst(), status);
    refuse(code == 0 ? LOST : code, unstarted(status));
    for (int i = 0; i < ended.length; i++) {
      if (!ended[i]) {
        endRank(job.first() + i, code == 0 ? new ExitStatus(LOST) : status);
      }
    }
    toldWaits.countDown();
  }

  /** Why no rank was started, where the agent has ended before. */
  private String unstarted(ExitStatus status) {
    String program = agent.getFirst();
    return hasGreeted
        ? "Adrastea has ended there before its ranks were started: the agent (%s) %s".formatted(program, status)
        : ("it has not been reached, or has no Adrastea: the agent (%s) %s. `%s %s true` has to work, and %s and "
            + "%s to be there as here").formatted(program, status, program, job.host(), java(),
                System.getProperty("java.class.path").split(File.pathSeparator)[0]);
  }

  /** Whether a rank was lost with this host. */
  boolean isLost(int rank) {
    return !loss.isEmpty() && !failures.containsKey(rank);
  }

  /** How a rank ended, in words. */
  String words(RankEnds.End end) {
    return isLost(end.rank()) ? loss : end.status().toString();
  }

  Failure failure(int rank) {
    return failures.getOrDefault(rank, Failure.UNKNOWN);
  }

  /** The ranks that have not ended. */
  synchronized List<Integer> there(boolean started) {
    List<Integer> ranks = new ArrayList<>();
    for (int i = 0; started && i < ended.length; i++) {
      if (!ended[i]) {
        ranks.add(job.first() + i);
      }
    }
    return ranks;
  }

  /** Asks what ranks wait for. */
  void askWaits() {
    toldWaits = new CountDownLatch(1);
    if (!process.isAlive() || !send(Command.WAITS, null, null, 0)) {
      toldWaits.countDown();
    }
  }

  /** What ranks wait for that tell, after {@link #askWaits}; those that tell within so many nanoseconds. */
  Map<Integer, String> waits(long mostNanos) throws InterruptedException {
    toldWaits.await(mostNanos, TimeUnit.NANOSECONDS);
    return new TreeMap<>(waits);
  }

  /** Has it end its ranks, and then itself: at the end of its standard input. */
  void close() {
    synchronized (this) {
      over = true;
    }
    if (process == null) {
      return;
    }
    boolean closed = false;
    try {
      closed = sending.tryLock(LOCK_MILLIS, TimeUnit.MILLISECONDS);
      if (closed) {
        commands.close();
      }
    } catch (IOException e) {
      // it has gone
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (closed) {
        sending.unlock();
      } else {
        destroy(); // it does not read
      }
    }
  }

  /** Waits until the agent has ended, and ends it when that takes too long. */
  void await(long deadlineNanos) {
    try {
      if (process != null
          && !process.waitFor(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS)) {
        RankGroup.say(
            "the agent of host %s does not end; it is killed, and ranks may be left there".formatted(job.host()));
        destroy();
      }
    } catch (InterruptedException e) {
      destroy();
      Thread.currentThread().interrupt();
    }
  }

  private void destroy() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
