package io.adrastea.cli.run;

import io.adrastea.launch.RollCall;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Looks, in a thread of its own, whether ranks of a job wait for each other, and says so once. The ranks tell in the
 * rank table whom they wait for, once they have for long while nothing moved, and take that back when something does.
 * What is said was found twice, a second apart, since each tells by itself, and none of the ranks had taken back and
 * told again in between.
 */
final class HangWatch {
  private static final long LOOK_SECONDS = 1;
  private static final long END_MILLIS = 500;

  private final RollCall roll;
  private final String file; // how the segment's is called, in another process, once it has no name
  private final List<Process> ranks;
  private final int seconds;
  private final Consumer<String> say;
  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread thread;
  private boolean attached;

  private HangWatch(RollCall roll, JobFile file, List<Process> ranks, int seconds, Consumer<String> say) {
    this.roll = roll;
    this.file = file.nameWhenGone();
    this.ranks = ranks;
    this.seconds = seconds;
    this.say = say;
    this.thread = Thread.ofPlatform().name("watch for hangs").daemon().unstarted(this::run);
  }

  /**
   * Begins to look.
   *
   * @param roll for this alone, which is closed at the end
   * @param ranks their processes
   * @param seconds after which a rank tells whom it waits for; 0: none does, and nothing is looked at
   * @param say is told, on another thread
   */
  static HangWatch start(RollCall roll, JobFile file, List<Process> ranks, int seconds,
      Consumer<String> say) {
    HangWatch watch = new HangWatch(roll, file, ranks, seconds, say);
    if (seconds > 0) {
      watch.thread.start();
    }
    return watch;
  }

  private void run() {
    Set<String> said = new HashSet<>();
    Optional<RollCall.Hang> before = Optional.empty();
    try (roll) {
      while (!over.await(attached ? LOOK_SECONDS : seconds, TimeUnit.SECONDS)) {
        Optional<RollCall.Hang> now = isAttached() ? roll.hang() : Optional.empty();
        if (now.isPresent() && now.equals(before) && said.add(now.get().words())) {
          say.accept(now.get().words());
        }
        before = now;
      }
    } catch (InterruptedException e) {
      // nobody has a reason to; it looks no more
    }
  }

  private boolean isAttached() {
    attached = attached || JobProcesses.tree(ranks).stream().flatMap(process -> JobProcesses.open(process, file))
        .anyMatch(roll::isComplete);
    return attached;
  }

  /** Stops the thread, and waits for its end for a moment: what it says may find nobody who reads. */
  void end() {
    over.countDown();
    try {
      if (thread.isAlive()) {
        thread.join(END_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
