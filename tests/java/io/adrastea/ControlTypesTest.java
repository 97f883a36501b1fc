package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.engine.group.Numbering;
import io.adrastea.error.AdrasteaException;
import io.adrastea.layout.ControlType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A control message of a type that this rank does not know: it is told of, and nothing else is lost. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ControlTypesTest {
  private static final int UNKNOWN = 200;
  private static final int TAG = 7;
  private static final int LARGE = 1 << 20;
  private static final int DECLINED = -95;

  @TempDir
  private Path directory;

  private final long[] word = new long[1];
  private final MemorySegment buffer = MemorySegment.ofArray(word);

  private static void assertTold(AdrasteaException told, int type) {
    String words = told.getMessage();
    assertTrue(words.contains("rank 1 sent a control message of type %d".formatted(type)), words);
    assertTrue(words.contains("this rank handles types 1, 2, 3, 4"), words);
  }

  private void assertReceives(Job job, long expected) {
    assertEquals(Long.BYTES, job.world().recv(buffer, 1, TAG).bytes());
    assertEquals(expected, word[0]);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void endsAWaitThatHasNothingToLoseAndNothingElse(String core) throws Exception {
    try (FarRank far = new FarRank(directory, core); Job job = far.other(AlteredRank.NONE)) {
      far.tell(UNKNOWN, 1, 2, 3);
      assertTold(assertThrows(AdrasteaException.class, () -> job.world().recv(buffer, 1, TAG)), UNKNOWN);
      far.send(TAG, 11);
      assertReceives(job, 11);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void isToldOnceAndOfReceivesThatWerePostedNoneIsLost(String core) throws Exception {
    long[] early = new long[1];
    try (FarRank far = new FarRank(directory, core); Job job = far.other(AlteredRank.NONE)) {
      Request posted = job.world().irecv(MemorySegment.ofArray(early), 1, TAG + 1);
      far.tell(UNKNOWN);
      far.tell(UNKNOWN + 1, 5);
      assertNull(job.world().iprobe(1, TAG));
      AdrasteaException told =
          assertThrows(AdrasteaException.class, () -> job.world().irecv(buffer, 1, TAG), "the next that begins");
      assertTold(told, UNKNOWN);
      assertTrue(told.getMessage().contains("1 more"), told::getMessage);
      far.send(TAG + 1, 12);
      posted.await();
      assertEquals(12, early[0]);
      job.world().send(buffer, 1, TAG);
    }
  }

  @Test
  void isToldAtTheEndAtTheLatest() throws Exception {
    try (FarRank far = new FarRank(directory, "java")) {
      Callable<Void> leave =
          () -> {
            try (Job job = far.other(AlteredRank.NONE)) {
              far.tell(UNKNOWN, 1);
              assertNull(job.world().iprobe(1, TAG));
            }
            return null;
          };
      String words = assertThrows(IllegalStateException.class, leave::call).getMessage();
      assertTrue(words.contains("rank 1 sent a control message of type 200"), words);
    }
  }

  @Test
  void anOfferThatIsDeclinedFailsItsSendAndSaysWhy() throws Exception {
    try (FarRank far = new FarRank(directory, "ffm"); Job job = far.other(AlteredRank.NONE)) {
      Communicator turned = Communicator.of(job, Numbering.of(2, 1, 0), 1, 0);
      Request send = turned.isend(Arena.ofAuto().allocate(LARGE), 0, TAG);
      long id = far.await();
      far.tell(ControlType.DONE.number(), id | -1L << Integer.SIZE, DECLINED & 0xFFFF_FFFFL, 0, 0);
      String words = assertThrows(AdrasteaException.class, send::await).getMessage();
      assertTrue(words.contains("rank 0 (job rank 1) has declined a send"), words);
      far.send(TAG, 13);
      assertReceives(job, 13);
    }
  }
}
