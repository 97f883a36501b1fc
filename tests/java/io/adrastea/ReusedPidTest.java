package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.bootstrap.Joining;
import io.adrastea.bootstrap.Member;
import io.adrastea.core.Core;
import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import io.adrastea.core.Spaces;
import io.adrastea.engine.EngineSettings;
import io.adrastea.error.RankFailedException;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.lmt.LmtSettings;
import io.adrastea.lmt.Mechanism;
import io.adrastea.queue.FreeQueue;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.ProcessIdentity;
import io.adrastea.segment.Segment;
import io.adrastea.segment.Words;
import io.adrastea.wait.WaitPolicy;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A rank that has died after it offered a large message, and whose number is another process's by now. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReusedPidTest {
  private static final int BYTES = 100_000;
  private static final int TAG = 5;
  private static final int CELL_BYTES = 4096;
  private static final int ADDRESS_AND_LASTING = 6; // flags of an offered buffer
  private static final long ANYWHERE = 1 << 20;

  private final CoreProvider provider = Cores.choose("java");
  private final AtomicInteger copies = new AtomicInteger();

  @TempDir Path directory;

  /** A way to the memory of any process, which holds whatever is asked for. */
  private Spaces spaces() {
    Spaces real = provider.spaces();
    return (Spaces)
        Proxy.newProxyInstance(
            Spaces.class.getClassLoader(),
            new Class<?>[] {Spaces.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("read")) {
                long bytes = (long) arguments[4];
                copies.addAndGet(bytes > 1 ? 1 : 0); // else it is only tried
                return bytes;
              }
              try {
                method.setAccessible(true);
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private CoreProvider provider(Spaces spaces) {
    return (CoreProvider)
        Proxy.newProxyInstance(
            CoreProvider.class.getClassLoader(),
            new Class<?>[] {CoreProvider.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "spaces" -> spaces;
                  case "open" -> provider.open((Segment) arguments[0], (int) arguments[1]);
                  case "number" -> provider.number();
                  case "name" -> provider.name();
                  default -> throw new AssertionError(method.toString());
                });
  }

  /** Rank 1 was there, under the number of a process that lives. */
  private Core enterPeer(Segment segment, Process other, long start) {
    long entry = segment.geometry().rankEntryOffset(1);
    MemorySegment memory = segment.memory();
    Words.store(memory, entry + RankEntryDescriptor.PID_OFFSET, (int) other.pid());
    Words.storeLong(memory, entry + RankEntryDescriptor.START_TIME_OFFSET, start);
    Words.storeLong(memory, entry + RankEntryDescriptor.PID_NAMESPACE_OFFSET, ProcessIdentity.namespace());
    FreeQueue.format(segment, 1);
    Core core = provider.open(segment, 1);
    new RankTable(segment).state(1, RankEntryDescriptor.STATE_ATTACHED);
    segment.countAttached();
    return core;
  }

  private static void offer(Core core) {
    MemorySegment cookie = Arena.ofAuto().allocate(5 * Long.BYTES, Long.BYTES);
    int mechanisms = Mechanism.CMA.bit();
    long offers = ADDRESS_AND_LASTING | mechanisms << 8 | mechanisms << 16;
    long[] words = {BYTES, offers << Integer.SIZE, 0, ANYWHERE, BYTES};
    MemorySegment.copy(words, 0, cookie, ValueLayout.JAVA_LONG, 0, words.length);
    int bytes = words.length * Long.BYTES;
    long match = TAG | CellDescriptor.MATCH_TRANSFER;
    assertEquals(bytes, core.trySend(0, CellDescriptor.KIND_FIRST, match, bytes, cookie, 0, bytes));
  }

  private Job job(Segment segment) {
    Member member = Joining.enter(segment, 0, provider, 0, () -> true);
    Member changed = new Member(segment, member.table(), 0, provider(spaces()), member.core());
    return new Job(changed, false, new EngineSettings(new WaitPolicy(100, null), LmtSettings.inForce(), true, false));
  }

  private interface Check {
    void of(Job job) throws Exception;
  }

  /** Rank 0 has been offered a message by rank 1, which started at {@code start}: 0 if it is the process that lives. */
  private void run(long start, Check check) throws Exception {
    Process other = new ProcessBuilder("cat").start(); // ends with this process, whose pipe it reads
    try (Segment segment = GivenSegment.blank(directory, new Geometry(2, 8, CELL_BYTES, GivenSegment.NO_BOXES));
        Core core = enterPeer(segment, other, start)) {
      Job job = job(segment); // which empties its queue
      offer(core);
      check.of(job);
    } finally {
      other.destroy();
      other.waitFor();
    }
  }

  @Test
  void itsMemoryIsNotTakenForTheMessage() throws Exception {
    run(
        1,
        job -> {
          RankFailedException failure =
              assertThrows(RankFailedException.class, () -> job.world().recv(new byte[BYTES], 0, BYTES, 1, TAG));
          assertEquals(1, failure.rank());
          assertEquals(0, copies.get());
          job.close();
        });
  }

  @Test
  void theMessageOfARankThatLivesIsReadFromItsMemory() throws Exception {
    run(
        0,
        job -> {
          job.world().recv(new byte[BYTES], 0, BYTES, 1, TAG);
          assertEquals(1, copies.get());
          job.close();
        });
  }
}
