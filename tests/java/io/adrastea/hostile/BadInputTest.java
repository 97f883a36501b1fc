package io.adrastea.hostile;

import static io.adrastea.Communicator.ANY_SOURCE;
import static io.adrastea.Communicator.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.Ranks;
import io.adrastea.Status;
import io.adrastea.message.Calls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Arguments that are refused with what was wrong and what is allowed, before anything is sent. */
@EveryCoreList
class BadInputTest {
  private static final int RANKS = 2;

  @Parameter
  String cores;

  /** Runs the checks on one rank; afterwards nothing is outstanding there, and nothing was sent. */
  private void check(Consumer<Communicator> checks) throws Exception {
    Ranks.run(
        cores,
        RANKS,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            checks.accept(world);
            assertNull(world.iprobe(ANY_SOURCE, ANY_TAG), "sent to oneself");
            world.send(Data.of(new byte[0]), 1, 99);
          } else {
            Status first = world.probe(ANY_SOURCE, ANY_TAG);
            assertTrue(first.tag() == 99 && first.bytes() == 0, "something was sent: " + first);
            world.recv(Data.of(new byte[0]), 0, 99);
          }
        });
  }

  private static void refuses(
      Class<? extends Exception> type, String call, String said, Runnable action) {
    String message = assertThrows(type, action::run, call).getMessage();
    assertTrue(message != null && message.contains(said), () -> call + " said: " + message);
  }

  private static MemorySegment memory() {
    return MemorySegment.ofArray(new byte[8]);
  }

  private static void sendsRefuse(
      Communicator world,
      Class<? extends Exception> type,
      String said,
      MemorySegment memory,
      int peer,
      int tag) {
    Calls.sends(world)
        .forEach((name, call) -> refuses(type, name, said, () -> call.with(memory, peer, tag)));
  }

  private static void receivesRefuse(
      Communicator world,
      Class<? extends Exception> type,
      String said,
      MemorySegment memory,
      int peer,
      int tag) {
    Calls.receives(world)
        .forEach((name, call) -> refuses(type, name, said, () -> call.with(memory, peer, tag)));
  }

  private static void probesRefuse(Communicator world, String said, int peer, int tag) {
    Calls.probes(world, peer, tag)
        .forEach(call -> refuses(IllegalArgumentException.class, "probe", said, call));
  }

  @Test
  void refusesRanksOutOfRange() throws Exception {
    check(
        world -> {
          for (int peer : new int[] {-1, RANKS, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            String said = "destination " + peer + "; this communicator has ranks 0 to 1";
            sendsRefuse(world, IllegalArgumentException.class, said, memory(), peer, 0);
          }
          for (int peer : new int[] {-3, RANKS, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            String said = "source " + peer + "; this communicator has ranks 0 to 1";
            receivesRefuse(world, IllegalArgumentException.class, said, memory(), peer, 0);
            probesRefuse(world, said, peer, 0);
          }
        });
  }

  @Test
  void refusesNegativeTags() throws Exception {
    check(
        world -> {
          for (int tag : new int[] {ANY_TAG, -2, Integer.MIN_VALUE}) {
            String said = "tag " + tag + "; allowed are 0 to 2147483647";
            sendsRefuse(world, IllegalArgumentException.class, said, memory(), 1, tag);
          }
          for (int tag : new int[] {-2, Integer.MIN_VALUE}) {
            String said = "tag " + tag + "; allowed are 0 to 2147483647, and ANY_TAG (-1)";
            receivesRefuse(world, IllegalArgumentException.class, said, memory(), 1, tag);
            probesRefuse(world, said, 1, tag);
          }
        });
  }

  @Test
  void refusesNull() throws Exception {
    check(
        world -> {
          sendsRefuse(world, NullPointerException.class, "buffer is null", null, 1, 0);
          receivesRefuse(world, NullPointerException.class, "buffer is null", null, 1, 0);
          Calls.onData(world)
              .forEach(
                  (name, call) -> refuses(
                      NullPointerException.class, name, "data is null", () -> call.with(null, 1, 0)));
          Calls.onRanges(world)
              .forEach(
                  (name, call) -> refuses(
                      NullPointerException.class, name, "buffer is null", () -> call.with(null, 0, 0, 1, 0)));
          ByteBuffer none = null;
          List<Runnable> onBuffers =
              List.of(
                  () -> world.send(Data.of(none), 1, 0),
                  () -> world.isend(Data.of(none), 1, 0),
                  () -> world.recv(Data.of(none), 1, 0),
                  () -> world.irecv(Data.of(none), 1, 0));
          onBuffers.forEach(
              call -> refuses(NullPointerException.class, "buffer", "buffer is null", call));
        });
  }

  @Test
  void refusesReadOnlyReceiveBuffers() throws Exception {
    check(
        world -> {
          MemorySegment readOnly = memory().asReadOnly();
          Class<IllegalArgumentException> type = IllegalArgumentException.class;
          receivesRefuse(world, type, "read-only", readOnly, 1, 0);
          ByteBuffer buffer = ByteBuffer.allocate(8).asReadOnlyBuffer();
          refuses(type, "recv", "read-only", () -> world.recv(Data.of(buffer), 1, 0));
          refuses(type, "irecv", "read-only", () -> world.irecv(Data.of(buffer), 1, 0));
        });
  }

  @Test
  void refusesMemoryOfAClosedArena() throws Exception {
    check(
        world -> {
          MemorySegment memory;
          ByteBuffer buffer;
          try (Arena arena = Arena.ofConfined()) {
            memory = arena.allocate(8);
            buffer = memory.asByteBuffer();
            world.iprobe(0, 0); // in use until here
          }
          Class<IllegalStateException> type = IllegalStateException.class;
          sendsRefuse(world, type, "arena is closed", memory, 1, 0);
          receivesRefuse(world, type, "arena is closed", memory, 1, 0);
          refuses(type, "send", "closed", () -> world.send(Data.of(buffer), 1, 0));
          refuses(type, "recv", "closed", () -> world.recv(Data.of(buffer), 1, 0));
        });
  }

  @Test
  void refusesMemoryConfinedToAnotherThread() throws Exception {
    AtomicReference<MemorySegment> confined = new AtomicReference<>();
    Thread other = new Thread(() -> confined.set(Arena.ofConfined().allocate(8)));
    other.start();
    other.join();
    String said = "confined to another thread";
    check(
        world -> {
          sendsRefuse(world, WrongThreadException.class, said, confined.get(), 1, 0);
          receivesRefuse(world, WrongThreadException.class, said, confined.get(), 1, 0);
        });
  }

  @Test
  void refusesRangesOutsideTheSegment() throws Exception {
    long most = Long.MAX_VALUE;
    long[][] ranges = {
      {-1, 1}, {0, -1}, {0, 9}, {8, 1}, {9, 0}, {most, 1}, {1, most}, {most, most}
    };
    check(
        world -> {
          for (long[] range : ranges) {
            Calls.onRanges(world)
                .forEach(
                    (name, call) -> refuses(
                        IndexOutOfBoundsException.class,
                        name,
                        "offset %d and count %d do not lie in a segment of length 8".formatted(range[0], range[1]),
                        () -> call.with(memory(), range[0], range[1], 1, 0)));
          }
        });
  }
}
