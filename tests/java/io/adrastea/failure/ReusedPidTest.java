package io.adrastea.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.AlteredRank;
import io.adrastea.Data;
import io.adrastea.FarRank;
import io.adrastea.IoVector;
import io.adrastea.Job;
import io.adrastea.error.RankFailedException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Large messages by CMA with a rank that has died or left: its number means nothing any more, or another process. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReusedPidTest {
  private static final int BYTES = 100_000;
  private static final int LONG = 5_000_000; // takes several steps
  private static final int TAG = 5;
  private static final long SIGHT_MILLIS = 150; // a look at a rank counts for less
  private static final List<String> CALLS = List.of("read", "readVector", "write", "writeVector");

  /** The call of the system that a message takes. */
  enum Way {
    READ(false, false), READ_PARTS(false, true), WRITE(true, false), WRITE_PARTS(true, true);

    private final boolean sends;
    private final boolean inParts;

    Way(boolean sends, boolean inParts) {
      this.sends = sends;
      this.inParts = inParts;
    }
  }

  /** What becomes of the other rank while the message waits. */
  enum Fate {
    DIES(FarRank::die), DIES_AND_IS_FOLLOWED(FarRank::dieAndBeFollowed), LEAVES_AND_DIES(far -> {
      far.leave();
      far.die();
    }), LEAVES_AND_IS_FOLLOWED(far -> {
      far.leave();
      far.dieAndBeFollowed();
    }), LIVES(far -> {}), LEAVES(FarRank::leave);

    private final Consumer<FarRank> happens;

    Fate(Consumer<FarRank> happens) {
      this.happens = happens;
    }

    private boolean isDeath() {
      return this != LIVES && this != LEAVES;
    }
  }

  @TempDir
  Path directory;

  private final AtomicInteger copies = new AtomicInteger();

  /** A way to the memory of any process, which holds whatever is asked for. */
  private Object anyMemory(String name, Object[] arguments, AlteredRank.Real real) throws Throwable {
    if (!CALLS.contains(name)) {
      return real.call();
    }
    boolean tried = name.equals("read") && (long) arguments[4] <= 1;
    copies.addAndGet(tried ? 0 : 1);
    return 1L;
  }

  private static IoVector parts(int bytes) {
    return new IoVector().add(Arena.ofAuto().allocate(bytes / 2)).add(Arena.ofAuto().allocate(bytes - bytes / 2));
  }

  /** A message of the other rank, which has its fate once that is offered. */
  private static void receive(boolean inParts, Job job, FarRank far, int bytes, Fate fate) {
    far.offer(bytes, TAG);
    fate.happens.accept(far);
    if (inParts) {
      job.world().recv(Data.of(parts(bytes)), 1, TAG);
    } else {
      job.world().recv(Data.of(new byte[bytes]), 1, TAG);
    }
  }

  /** The other rank asks for a message once it is offered, and that is found when it is dead. */
  private static Void ask(FarRank far, int bytes, Fate fate) {
    long id = far.await();
    if (fate.isDeath()) {
      fate.happens.accept(far);
    }
    far.ask(id, bytes);
    if (!fate.isDeath()) {
      fate.happens.accept(far);
    }
    return null;
  }

  private static void send(boolean inParts, Job job, FarRank far, int bytes, Fate fate) throws Exception {
    FutureTask<Void> asking = new FutureTask<>(() -> ask(far, bytes, fate));
    new Thread(asking, "rank 1").start();
    try {
      if (inParts) {
        job.world().send(Data.of(parts(bytes)), 1, TAG);
      } else {
        job.world().send(Data.of(new byte[bytes]), 1, TAG);
      }
    } finally {
      asking.get();
    }
  }

  private static void exchange(Way way, Job job, FarRank far, int bytes, Fate fate) throws Exception {
    if (way.sends) {
      send(way.inParts, job, far, bytes, fate);
    } else {
      receive(way.inParts, job, far, bytes, fate);
    }
  }

  private static void assertFails(Way way, Job job, FarRank far, int bytes, Fate fate) {
    RankFailedException failure =
        assertThrows(RankFailedException.class, () -> exchange(way, job, far, bytes, fate));
    assertEquals(1, failure.rank());
  }

  private static Stream<Arguments> allFates() {
    return Arrays.stream(Way.values())
        .flatMap(way -> Arrays.stream(Fate.values()).map(fate -> Arguments.of(way, fate)));
  }

  @ParameterizedTest
  @MethodSource("allFates")
  void onlyMemoryOfARankWhoseProcessRunsIsReadOrWritten(Way way, Fate fate) throws Exception {
    try (FarRank far = new FarRank(directory, "java");
        Job job = far.other(this::anyMemory)) {
      if (fate.isDeath()) {
        assertFails(way, job, far, BYTES, fate);
      } else {
        exchange(way, job, far, BYTES, fate);
      }
      assertEquals(fate.isDeath(), copies.get() == 0);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRankThatDiesInTheMiddleIsLookedAtAgain(Way way) throws Exception {
    try (FarRank far = new FarRank(directory, "java");
        Job job =
            far.other(
                (name, arguments, real) -> {
                  Object result = anyMemory(name, arguments, real);
                  if (copies.get() == 1) {
                    far.dieAndBeFollowed();
                    Thread.sleep(SIGHT_MILLIS);
                  }
                  return result;
                })) {
      assertFails(way, job, far, LONG, Fate.LIVES);
      assertEquals(1, copies.get());
    }
  }

  /** What the system says of a number that nobody has. */
  @ParameterizedTest
  @EnumSource
  void aRankThatDiesBetweenTheLookAndTheCopyIsNamed(Way way) throws Exception {
    try (FarRank far = new FarRank(directory, "ffm");
        Job job =
            far.other(
                (name, arguments, real) -> {
                  Object result = anyMemory(name, arguments, real);
                  if (copies.get() == 0 || !CALLS.contains(name)) {
                    return result;
                  }
                  far.die();
                  return real.call();
                })) {
      assertFails(way, job, far, BYTES, Fate.LIVES);
      assertEquals(1, copies.get());
    }
  }
}
