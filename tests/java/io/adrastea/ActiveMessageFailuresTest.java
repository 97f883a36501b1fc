package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.engine.active.ActiveHandler;
import io.adrastea.engine.active.ActiveMessage;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.group.Numbering;
import io.adrastea.error.CapabilityException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.layout.ControlType;
import io.adrastea.payload.Contiguous;
import io.adrastea.payload.Payload;
import io.adrastea.ranktable.Capability;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Active messages whose other end dies, leaves, cannot take them, or sends what no correct rank sends. */
@Tag("sleeps")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ActiveMessageFailuresTest {
  private static final int TYPE = 3;
  private static final int TAG = 7;
  private static final int LARGE = 1 << 20;
  private static final long ONE_WORD =
      0xFFFF_FFFFL << 32 | CellDescriptor.MATCH_TRANSFER | 1 << 16 | TYPE << 8 | ControlType.ACTIVE.number();
  private static final Members ALL = new Members(Numbering.world(2), "the test's");

  @TempDir
  private Path directory;

  /** Notes what it is told. */
  private static final class Noting implements ActiveHandler {
    final List<String> told = new ArrayList<>();
    final List<RuntimeException> failures = new ArrayList<>();
    boolean lacksMemory;
    RuntimeException mistake; // that it makes when a message fails; null: none
    RuntimeException mistakeAtFirst; // likewise, when one begins

    @Override
    public Payload begin(int source, long[] header, long length) {
      if (lacksMemory) {
        throw new OutOfMemoryError("on purpose");
      }
      if (mistakeAtFirst != null) {
        throw mistakeAtFirst;
      }
      told.add("begin %d %d".formatted(header[0], length));
      return new Contiguous(MemorySegment.ofArray(new long[(int) length / Long.BYTES]), 0, length);
    }

    @Override
    public void finished(int source, long[] header, Payload memory) {
      told.add("finished %d".formatted(header[0]));
    }

    @Override
    public void failed(int source, long[] header, Payload memory, RuntimeException cause) {
      told.add("failed %d".formatted(header[0]));
      failures.add(cause);
      if (mistake != null) {
        throw mistake;
      }
    }
  }

  private static Noting registered(Job job) {
    Noting handler = new Noting();
    job.world().engine().active().register(TYPE, handler);
    return handler;
  }

  private static void progress(Job job) {
    assertNull(job.world().iprobe(1, TAG));
  }

  private static ActiveMessage sendLarge(Job job) {
    return job.world().engine().active().start(ALL, 1, TYPE, new long[1],
        new Contiguous(MemorySegment.ofArray(new byte[LARGE]), 0, LARGE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void whoseSenderDiesInTheMiddleFailAtTheHandler(String core) throws Exception {
    try (FarRank far = new FarRank(directory, core); Job job = far.other(AlteredRank.NONE)) {
      Noting handler = registered(job);
      far.sendPiece(CellDescriptor.KIND_FIRST, ONE_WORD, 32, 5, 6);
      progress(job);
      far.sendPiece(CellDescriptor.KIND_NEXT, ONE_WORD, 32, 7);
      far.die();
      while (handler.failures.isEmpty()) {
        progress(job);
      }
      assertEquals(List.of("begin 5 24", "failed 5"), handler.told);
      assertInstanceOf(RankFailedException.class, handler.failures.get(0));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void thatAreAllThereAreTakenInThoughTheirSenderIsGone(String core) throws Exception {
    try (FarRank far = new FarRank(directory, core); Job job = far.other(AlteredRank.NONE)) {
      Noting handler = registered(job);
      far.sendPiece(CellDescriptor.KIND_FIRST, ONE_WORD, 24, 5);
      progress(job);
      far.sendPiece(CellDescriptor.KIND_NEXT, ONE_WORD, 24, 7, 8);
      far.sendPiece(CellDescriptor.KIND_FIRST, ONE_WORD, 8, 6);
      far.die();
      while (handler.told.size() < 4) {
        progress(job);
      }
      assertEquals(List.of("begin 5 16", "finished 5", "begin 6 0", "finished 6"), handler.told);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void whoseReceiverDiesInTheMiddleFail(String core) throws Exception {
    try (FarRank far = new FarRank(directory, core); Job job = far.other(AlteredRank.NONE)) {
      ActiveMessage first = sendLarge(job);
      ActiveMessage second = sendLarge(job);
      assertFalse(first.isComplete());
      far.die();
      for (ActiveMessage message : List.of(first, second)) {
        message.finish(Long.MAX_VALUE, (subject, done) -> assertInstanceOf(RankFailedException.class, done.failure()),
            null);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void thatArePendingWhenTheJobIsLeftAreToldOf(String core) throws Exception {
    try (FarRank far = new FarRank(directory, core)) {
      Job job = far.other(AlteredRank.NONE);
      Noting handler = registered(job);
      far.sendPiece(CellDescriptor.KIND_FIRST, ONE_WORD, 24, 5);
      progress(job);
      ActiveMessage message = sendLarge(job);
      job.world().engine().active().post(1, TYPE, new long[1], ActiveHandler.NO_MEMORY); // nobody has it
      String words = assertThrows(IllegalStateException.class, job::close).getMessage();
      assertTrue(words.contains("active message of type 3 to rank 1, "), words);
      assertEquals(words.indexOf("active message"), words.lastIndexOf("active message"), words);
      assertTrue(message.isComplete());
      assertTrue(message.failure().getMessage().contains("has left the job before all of an active message"));
      assertEquals(List.of("begin 5 16", "failed 5"), handler.told);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void allFailWhenTheJobIsLeftThoughAHandlerThrows(String core) throws Exception {
    try (FarRank far = new FarRank(directory, core)) {
      Job job = far.other(AlteredRank.NONE);
      Noting handler = registered(job);
      handler.mistake = new IllegalArgumentException("on purpose");
      far.sendPiece(CellDescriptor.KIND_FIRST, ONE_WORD, 24, 5);
      ActiveMessage itself = job.world().engine().active().start(ALL, 0, TYPE, new long[] {6},
          new Contiguous(MemorySegment.ofArray(new byte[LARGE]), 0, LARGE));
      ActiveMessage message = sendLarge(job);
      progress(job);
      assertSame(handler.mistake, assertThrows(IllegalArgumentException.class, job::close));
      assertEquals(2, handler.failures.size(), handler.told::toString);
      assertTrue(itself.isComplete());
      assertTrue(message.isComplete());
      assertTrue(message.failure().getMessage().contains("has left the job before all of an active message"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void whoseHandlerThrowsDoNotEndABufferedSendThatGoesOn(String core) throws Exception {
    Settings.with(Map.of("adrastea.eager.bytes", Integer.toString(LARGE)), () -> {
      try (FarRank far = new FarRank(directory, core); Job job = far.other(AlteredRank.NONE)) {
        Noting handler = registered(job);
        handler.mistakeAtFirst = new IllegalArgumentException("on purpose");
        far.sendPiece(CellDescriptor.KIND_FIRST, ONE_WORD, 16, 5, 6);
        SendBuffer buffer = new SendBuffer(LARGE);
        buffer.bsend(job.world(), Data.of(new byte[LARGE]), 1, TAG); // longer than all cells of this rank
        assertTrue(buffer.toString().contains(": 1 messages"), buffer::toString);
        RuntimeException told = handler.mistakeAtFirst;
        handler.mistakeAtFirst = null;
        far.die();
        assertSame(told, assertThrows(IllegalArgumentException.class, buffer::close));
      }
      return null;
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void goToNoRankThatCannotTakeThem(String core) throws Exception {
    try (FarRank far = new FarRank(directory, core)) {
      far.can(Capability.COLLECTIVES);
      try (Job job = far.other(AlteredRank.NONE)) {
        CapabilityException refused = assertThrows(CapabilityException.class, () -> sendLarge(job));
        assertEquals(1, refused.rank());
        assertTrue(refused.getMessage().contains("has no active messages; allowed with it are"), refused::getMessage);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void forWhichThereIsNoMemoryStayWhereTheyAre(String core) throws Exception {
    try (FarRank far = new FarRank(directory, core); Job job = far.other(AlteredRank.NONE)) {
      Noting handler = registered(job);
      handler.lacksMemory = true;
      far.sendPiece(CellDescriptor.KIND_FIRST, ONE_WORD, 16, 5, 6);
      assertThrows(OutOfMemoryError.class, () -> progress(job));
      handler.lacksMemory = false;
      progress(job);
      assertEquals(List.of("begin 5 8", "finished 5"), handler.told);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"more", "next", "again", "header"})
  void thatNoCorrectRankSendsAreRefused(String what) throws Exception {
    try (FarRank far = new FarRank(directory, "java"); Job job = far.other(AlteredRank.NONE)) {
      registered(job);
      switch (what) {
        case "more" -> {
          far.sendPiece(CellDescriptor.KIND_FIRST, ONE_WORD, 24, 5);
          far.sendPiece(CellDescriptor.KIND_NEXT, ONE_WORD, 40, 7, 8, 9);
        }
        case "next" -> far.sendPiece(CellDescriptor.KIND_NEXT, ONE_WORD, 24, 5);
        case "again" -> {
          far.sendPiece(CellDescriptor.KIND_FIRST, ONE_WORD, 24, 5);
          far.sendPiece(CellDescriptor.KIND_FIRST, ONE_WORD, 24, 5);
        }
        default -> far.sendPiece(CellDescriptor.KIND_FIRST, ONE_WORD, 24);
      }
      assertThrows(SegmentException.class, () -> {
        progress(job);
        progress(job);
      });
    }
  }
}
