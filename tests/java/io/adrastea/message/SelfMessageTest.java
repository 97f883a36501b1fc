package io.adrastea.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.AlteredRank;
import io.adrastea.Closer;
import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.IoVector;
import io.adrastea.Job;
import io.adrastea.LargeKind;
import io.adrastea.Message;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Settings;
import io.adrastea.Status;
import io.adrastea.bootstrap.ThreadJob;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.TruncationException;
import io.adrastea.error.TypeMismatchException;
import io.adrastea.large.LargeBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Large messages that a rank sends to itself: one copy, from buffer to buffer, where the receive is posted. Counted is
 * what the rank asks its core for.
 */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ffm", "jni", "jna", "java"})
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SelfMessageTest {
  private static final int TAG = 7;
  private static final int BYTES = 100_000;
  private static final int LONG_BYTES = 3 * Ranks.ALL_CELLS + 8; // more than all cells hold, and than one step copies
  private static final int CONTROL_BYTES = 2048; // more than RTS and DONE have
  private static final int CLOSINGS = 24;

  private static final Datatype FROM = Datatype.vector(50, 3, 5, Datatype.LONG);
  private static final Datatype TO = Datatype.vector(10, 15, 16, Datatype.LONG);
  private static final int COUNT = 300;
  private static final int ELEMENTS = COUNT * 50 * 3;

  @Parameter
  String core;

  /** Bytes that calls of the core were asked to move, by the name of the call. */
  private final Map<String, Long> moved = new TreeMap<>();

  private final ConcurrentLinkedQueue<String> told = new ConcurrentLinkedQueue<>();
  private final Logger logger = Logger.getLogger("io.adrastea");
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
            told.add(entry.getMessage());
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  /** How a rank sends. */
  enum Sending {
    SEND, SSEND, ISEND, ISSEND, SENDRECV
  }

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
  }

  @AfterEach
  void nothingIsLogged() {
    logger.removeHandler(handler);
    assertTrue(told.isEmpty(), told::toString);
  }

  private synchronized void count(String name, long bytes) {
    moved.merge(name, bytes, Long::sum);
  }

  private Object countInCore(String name, Object[] arguments, AlteredRank.Real real) throws Throwable {
    switch (name) {
      case "trySend" -> count("cells", (long) arguments[6]);
      case "claim" -> count("cells", (long) arguments[4]);
      case "trySendElements" -> count("cells", (long) arguments[6]);
      default -> {
      }
    }
    return real.call();
  }

  private Object countInSpaces(String name, Object[] arguments, AlteredRank.Real real) throws Throwable {
    switch (name) {
      case "copy", "pack", "unpack" -> count("copied", (long) arguments[arguments.length - 1]);
      case "stream", "put", "take", "read", "write", "readVector", "writeVector", "attach" -> count(name, 1);
      default -> {
      }
    }
    return real.call();
  }

  private void run(Job.Body body) throws Exception {
    run(Map.of(), body);
  }

  private void run(Map<String, String> settings, Job.Body body) throws Exception {
    Map<String, String> all = new TreeMap<>(settings);
    all.put("adrastea.core", core);
    Settings.with(all, () -> {
      try (ThreadJob threadJob = ThreadJob.create(1);
          Job job = AlteredRank.job(threadJob.enter(0, () -> false), false, this::countInCore, this::countInSpaces)) {
        moved.clear(); // what joining has asked for
        body.run(job);
      }
      return null;
    });
  }

  /** The message was copied once, and nothing else has moved it. */
  private void checkOneCopy(long bytes) {
    long cells = moved.getOrDefault("cells", 0L);
    assertTrue(cells <= CONTROL_BYTES, () -> moved.toString());
    moved.remove("cells");
    assertEquals(Map.of("copied", bytes), moved);
    moved.clear();
  }

  /** A message that is received by a receive that is posted. */
  private static Status exchange(Communicator world, Sending sending, Data from, Data to) {
    if (sending == Sending.SENDRECV) {
      return world.sendrecv(from, 0, TAG, to, 0, TAG);
    }
    Request receive = world.irecv(to, 0, TAG);
    switch (sending) {
      case SEND -> world.send(from, 0, TAG);
      case SSEND -> world.ssend(from, 0, TAG);
      case ISEND -> world.isend(from, 0, TAG).await();
      default -> world.issend(from, 0, TAG).await();
    }
    return receive.await();
  }

  @ParameterizedTest
  @EnumSource(LargeKind.class)
  void areOneCopyBetweenBuffersOfAnyKind(LargeKind kind) throws Exception {
    run(job -> {
      int number = 0;
      for (LargeKind other : LargeKind.values()) {
        for (Sending sending : Sending.values()) {
          number++;
          try (LargeBuffer from = kind.make(job, BYTES).fill(number); LargeBuffer to = other.make(job, BYTES)) {
            moved.clear();
            Status status = exchange(job.world(), sending, from.data(), to.data());
            assertEquals(new Status(0, TAG, BYTES, false), status);
            checkOneCopy(BYTES);
            to.check(BYTES, number);
          }
        }
      }
    });
  }

  @ParameterizedTest
  @EnumSource(Sending.class)
  void areOneCopyOfManySteps(Sending sending) throws Exception {
    run(job -> {
      try (LargeBuffer from = LargeKind.MIXED_PARTS.make(job, LONG_BYTES).fill(1);
          LargeBuffer to = LargeKind.NATIVE_PARTS.make(job, LONG_BYTES)) {
        exchange(job.world(), sending, from.data(), to.data());
        checkOneCopy(LONG_BYTES);
        to.check(LONG_BYTES, 1);
      }
    });
  }

  private static MemorySegment memory(Job job, boolean isArray, Datatype type) {
    long bytes = COUNT * type.extent();
    return isArray ? MemorySegment.ofArray(new long[(int) (bytes / Long.BYTES)]) : job.allocate(bytes, 8);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void areOneCopyFromLayoutToLayout(boolean isArray) throws Exception {
    run(job -> {
      Communicator world = job.world();
      long[] numbers = LongStream.range(0, ELEMENTS).toArray();
      long bytes = (long) ELEMENTS * Long.BYTES;
      Data from = Data.of(memory(job, isArray, FROM), 0, COUNT, FROM);
      Data to = Data.of(memory(job, isArray, TO), 0, COUNT, TO);
      for (Sending sending : Sending.values()) {
        long[] received = new long[ELEMENTS];
        moved.clear();
        exchange(world, sending, Data.of(numbers), from);
        checkOneCopy(bytes);
        exchange(world, sending, from, to);
        checkOneCopy(bytes);
        exchange(world, sending, to, Data.of(received));
        checkOneCopy(bytes);
        assertArrayEquals(numbers, received);
        MemorySegment parts = MemorySegment.ofArray(new long[ELEMENTS]);
        IoVector vector = new IoVector().add(parts, 0, 12).add(parts, 12, bytes - 12);
        exchange(world, sending, from, Data.of(vector));
        checkOneCopy(bytes);
        assertEquals(-1, parts.mismatch(MemorySegment.ofArray(numbers)));
      }
    });
  }

  @ParameterizedTest
  @EnumSource(LargeKind.class)
  void areBufferedBeforeTheirReceive(LargeKind kind) throws Exception {
    run(job -> {
      Communicator world = job.world();
      try (LargeBuffer from = kind.make(job, BYTES).fill(1)) {
        from.send(0, TAG);
        from.fill(2);
        from.isend(0, TAG + 1).await();
        from.fill(3);
        from.send(0, TAG + 2);
        from.fill(4);
        byte[] received = new byte[BYTES];
        assertEquals(BYTES, world.probe(0, TAG + 1).bytes());
        world.recv(Data.of(received), 0, TAG + 1);
        Contents.check(BYTES, 2, received);
        world.recv(Data.of(received), 0, TAG);
        Contents.check(BYTES, 1, received);
        try (Message message = world.recvMessage(0, TAG + 2)) {
          Contents.check(BYTES, 3, message.segment());
        }
      }
    });
  }

  @Test
  void areNotKeptByAReceiverInPlace() throws Exception {
    run(job -> {
      Communicator world = job.world();
      MemorySegment from = job.allocate(BYTES, 8);
      from.copyFrom(MemorySegment.ofArray(Contents.of(BYTES, 1)));
      Request send = world.isend(from, 0, TAG);
      try (Message message = world.recvMessage(0, TAG)) {
        send.await(); // though the message is still open
        from.fill((byte) 0);
        Contents.check(BYTES, 1, message.segment());
      }
    });
  }

  @Test
  void keepTheirOrder() throws Exception {
    run(job -> {
      Communicator world = job.world();
      int[] lengths = {8, BYTES, 0, LONG_BYTES, 3 * Ranks.CELL_BYTES, BYTES};
      for (int posted = 0; posted <= lengths.length; posted++) {
        Request[] receives = new Request[lengths.length];
        byte[][] received = new byte[lengths.length][];
        for (int i = 0; i < lengths.length; i++) {
          received[i] = new byte[lengths[i]];
        }
        for (int i = 0; i < posted; i++) {
          receives[i] = world.irecv(Data.of(received[i]), 0, TAG);
        }
        for (int i = 0; i < lengths.length; i++) {
          world.send(Data.of(Contents.of(lengths[i], i)), 0, TAG);
        }
        for (int i = posted; i < lengths.length; i++) {
          receives[i] = world.irecv(Data.of(received[i]), 0, TAG);
        }
        for (int i = 0; i < lengths.length; i++) {
          assertEquals(lengths[i], receives[i].await().bytes());
          Contents.check(lengths[i], i, received[i]);
        }
      }
    });
  }

  @Test
  void mayBeSentWhileAMessageIsHandled() throws Exception {
    run(job -> {
      Communicator world = job.world();
      AtomicInteger handled = new AtomicInteger();
      byte[] received = new byte[BYTES];
      world.send(Data.of(new byte[8]), 0, TAG);
      while (handled.get() == 0) {
        world.poll(message -> {
          handled.incrementAndGet();
          world.send(Data.of(Contents.of(BYTES, 1)), 0, TAG + 1);
        }, 1);
      }
      world.recv(Data.of(received), 0, TAG + 1);
      Contents.check(BYTES, 1, received);
    });
  }

  @Test
  void thatAreTooLongFail() throws Exception {
    run(job -> {
      Communicator world = job.world();
      byte[] received = new byte[BYTES / 2];
      Request receive = world.irecv(Data.of(received), 0, TAG);
      world.send(Data.of(Contents.of(BYTES, 1)), 0, TAG);
      assertThrows(TruncationException.class, receive::await);
      assertArrayEquals(Arrays.copyOf(Contents.of(BYTES, 1), received.length), received);
      checkOneCopy(received.length);
      world.send(Data.of(Contents.of(BYTES, 2)), 0, TAG);
      assertThrows(TruncationException.class, () -> world.recv(Data.of(received), 0, TAG));
      assertArrayEquals(Arrays.copyOf(Contents.of(BYTES, 2), received.length), received);
    });
  }

  private static void checkUsable(Communicator world) {
    byte[] received = new byte[BYTES];
    exchange(world, Sending.SEND, Data.of(Contents.of(BYTES, 9)), Data.of(received));
    Contents.check(BYTES, 9, received);
  }

  private static boolean fails(Request request) {
    try {
      request.await();
      return false;
    } catch (AdrasteaException e) {
      return true;
    }
  }

  private static void checkFails(Request request, String words) {
    String said = assertThrows(AdrasteaException.class, request::await).getMessage();
    assertTrue(said.contains(words), said);
  }

  /** The end whose buffer was closed says so. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ofAClosedArenaFailAtBothEnds(boolean isSenders) throws Exception {
    run(job -> {
      Communicator world = job.world();
      Arena arena = Arena.ofShared();
      Data closed = Data.of(arena.allocate(BYTES));
      Data other = Data.of(new byte[BYTES]);
      Request send = isSenders ? world.issend(closed, 0, TAG) : null;
      Request receive = isSenders ? null : world.irecv(closed, 0, TAG);
      arena.close();
      send = isSenders ? send : world.issend(other, 0, TAG);
      receive = isSenders ? world.irecv(other, 0, TAG) : receive;
      checkFails(send, isSenders ? "cannot be used any more" : "its buffer was closed");
      checkFails(receive, isSenders ? "its buffer was closed" : "cannot be used any more");
      checkUsable(world);
    });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ofAnArenaThatIsClosedMeanwhileFailAtBothEndsOrAtNone(boolean isSenders) throws Exception {
    run(job -> {
      for (int trial = 0; trial < CLOSINGS; trial++) {
        try (LargeBuffer closed = LargeKind.CLOSABLE.make(job, LONG_BYTES);
            LargeBuffer other = LargeKind.BYTES.make(job, LONG_BYTES)) {
          Request receive = (isSenders ? other : closed).irecv(0, TAG);
          Request send = (isSenders ? closed : other).fill(trial).isend(0, TAG);
          Thread closer = Closer.start(closed.arena(), trial * 20_000L);
          boolean sendFails = fails(send);
          assertEquals(sendFails, fails(receive), "both ends fail, or none");
          if (isSenders && !sendFails) {
            other.check(LONG_BYTES, trial);
          }
          closer.join();
        }
      }
      checkUsable(job.world());
    });
  }

  @Test
  void thatNobodyReceivesAreTakenBack() throws Exception {
    run(job -> {
      Communicator world = job.world();
      Thread.currentThread().interrupt();
      Data data = Data.of(new byte[BYTES]);
      assertThrows(InterruptedWaitException.class, () -> world.ssend(data, 0, TAG));
      assertTrue(Thread.interrupted());
      assertNull(world.iprobe(0, TAG));
      checkUsable(world);
    });
  }

  @Test
  void ofOtherTypesAreRefused() throws Exception {
    run(Map.of("adrastea.check", "types"), job -> {
      Communicator world = job.world();
      float[] received = new float[BYTES / 4];
      Request receive = world.irecv(Data.of(received), 0, TAG);
      world.send(Data.of(new int[BYTES / 4]), 0, TAG);
      assertThrows(TypeMismatchException.class, receive::await);
      world.send(Data.of(new int[BYTES / 4]), 0, TAG);
      assertThrows(TypeMismatchException.class, () -> world.recv(Data.of(received), 0, TAG));
      checkUsable(world);
    });
  }
}
