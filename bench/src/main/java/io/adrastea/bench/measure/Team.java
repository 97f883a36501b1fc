package io.adrastea.bench.measure;

import io.adrastea.library.Extracted;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The processes of one variant. A command goes to all of them and each answers with one line; the first one that dies
 * is the one that is named, since its peers may fail only because of it.
 */
public final class Team implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(2);
  private static final Duration TRIAL_DEADLINE = Duration.ofSeconds(30);

  private final String variant;
  private final List<Child> children = new ArrayList<>();
  private final BlockingQueue<Child.Event> events = new LinkedBlockingQueue<>();

  /**
   * @param variant its name in messages
   */
  public Team(String variant) {
    this.variant = variant;
  }

  /**
   * Starts a program out of the jar.
   *
   * @param trial a first, uncounted command
   * @param words what it is started with
   * @throws IOException when the jar has none for this platform, or it cannot be run or does not answer
   */
  public static Team ofProgram(String variant, String program, String trial, Object... words) throws IOException {
    return Extracted.with(
        program,
        file -> {
          Team team = new Team(variant);
          try {
            List<String> command = new ArrayList<>(List.of(file.toString()));
            Stream.of(words).map(String::valueOf).forEach(command::add);
            team.add(program, new ProcessBuilder(command));
            Answer.times(program, team.ask(trial, TRIAL_DEADLINE).get(0), 1);
            return team;
          } catch (IOException | BenchException e) {
            team.close();
            throw e;
          }
        });
  }

  /** Starts one more process, called {@code name} in messages. */
  public void add(String name, ProcessBuilder builder) throws IOException {
    children.add(new Child("variant " + variant + ": " + name, children.size(), builder, events));
  }

  /**
   * Adds a program that starts others and cleans up after them, as {@link #add} does: it is given the time for that.
   */
  public void addLauncher(String name, ProcessBuilder builder) throws IOException {
    children.add(Child.launcher("variant " + variant + ": " + name, children.size(), builder, events));
  }

  public int size() {
    return children.size();
  }

  /** Sends a command to all and gathers their answers. */
  public List<String> ask(String command, Duration deadline)
      throws BenchException, InterruptedException {
    children.forEach(child -> child.tell(command));
    return gather(command, deadline);
  }

  /**
   * Gives an order, in which {@code verb} is the kind of run, to all; the first one answers with the times of the
   * batches.
   */
  public long[] times(String verb, Variant.Order order) throws BenchException, InterruptedException {
    return Answer.times(memberName(0), ask(order.command(verb), order.deadline()).get(0), order.batches());
  }

  /** Waits for one line from each; the list is in the order of {@link #add}. */
  public List<String> gather(String what, Duration deadline)
      throws BenchException, InterruptedException {
    String[] answers = new String[children.size()];
    long end = System.nanoTime() + deadline.toNanos();
    for (int missing = answers.length; missing > 0; missing--) {
      Child.Event event = events.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (event == null) {
        throw silence(what, deadline, answers);
      }
      accept(event, answers);
    }
    return List.of(answers);
  }

  private static void accept(Child.Event event, String[] answers)
      throws BenchException, InterruptedException {
    Child child = event.child();
    if (event.line() == null) {
      throw new BenchException(child.name() + " " + child.obituary());
    }
    if (event.line().startsWith(Worker.REFUSED)) {
      throw new RefusedException(event.line().substring(Worker.REFUSED.length()));
    }
    if (answers[child.index()] != null) {
      throw new BenchException(
          child.name() + " answered twice, the second time '" + event.line() + "'");
    }
    answers[child.index()] = event.line();
  }

  private BenchException silence(String what, Duration deadline, String[] answers) {
    List<String> silent = new ArrayList<>();
    for (Child child : children) {
      if (answers[child.index()] == null) {
        silent.add(
            "%s hangs: no answer to '%s' within %d s%s"
                .formatted(child.name(), what, deadline.toSeconds(), child.lastWords()));
      }
    }
    return new BenchException(String.join("\n", silent));
  }

  public String memberName(int index) {
    return children.get(index).name();
  }

  @Override
  public void close() {
    children.forEach(Child::dismiss);
    long end = System.nanoTime() + GRACE.toNanos();
    children.forEach(child -> child.end(Math.max(0, (end - System.nanoTime()) / 1_000_000)));
  }
}
