package io.adrastea.core;

import static io.adrastea.layout.CellDescriptor.KIND_ABORT;
import static io.adrastea.layout.CellDescriptor.KIND_FIRST;
import static io.adrastea.layout.CellDescriptor.KIND_NEXT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.core.CorePair.Ranks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every core does for messages, for every pair of cores. Who adds a core adds no test: it is found and run. */
@Timeout(60)
@ParameterizedClass(name = "{0}")
@MethodSource("pairs")
class CoreContractTest {
  private static final int CELLS = 16;
  private static final int PAYLOAD = 256;
  private static final int RANKS = 3;
  private static final int EINVAL = -22;

  /** Cells that one destination can hold: its own share, and those that are nobody's. */
  private static final int SHARE = CELLS / 2 / RANKS;

  private static final int MOST = CELLS - (RANKS - 1) * SHARE;

  @Parameter CorePair pair;
  @TempDir Path directory;
  private Ranks ranks;
  private final Inbound in = new Inbound();

  static Stream<CorePair> pairs() {
    return CorePair.all();
  }

  @BeforeEach
  void open() {
    ranks = pair.open(directory, RANKS, CELLS, PAYLOAD);
  }

  @AfterEach
  void close() {
    ranks.close();
  }

  private Core core(int rank) {
    return ranks.core(rank);
  }

  private static MemorySegment bytes(String text) {
    return MemorySegment.ofArray(text.getBytes(StandardCharsets.US_ASCII));
  }

  private int send(int from, int to, long match, String text) {
    return core(from).trySend(to, KIND_FIRST, match, text.length(), bytes(text), 0, text.length());
  }

  private void assertTakes(int rank, String expected) {
    assertEquals(1, core(rank).poll(in));
    assertEquals(expected.length(), in.length());
    byte[] taken = new byte[in.length()];
    assertEquals(0, core(rank).take(MemorySegment.ofArray(taken), 0, taken.length));
    assertEquals(expected, new String(taken, StandardCharsets.US_ASCII));
  }

  private void assertReceives(int rank, long match, int source, String expected) {
    byte[] received = new byte[PAYLOAD];
    int length = core(rank).receive(match, -1, source, MemorySegment.ofArray(received), 0, PAYLOAD, 3, in);
    assertEquals(expected.length(), length);
    assertEquals(expected, new String(received, 0, length, StandardCharsets.US_ASCII));
  }

  private int receiveNothing(int rank, long match, long mask, int source, int capacity) {
    byte[] untouched = new byte[PAYLOAD];
    int status = core(rank).receive(match, mask, source, MemorySegment.ofArray(untouched), 0, capacity, 3, in);
    assertArrayEquals(new byte[PAYLOAD], untouched);
    return status;
  }

  @Test
  void pollTellsAllAboutAPieceAndLeavesIt() {
    assertEquals(Core.AGAIN, core(1).poll(in));
    long match = 0x0123_4567_89ab_cdefL;
    assertEquals(5, send(0, 1, match, "hello"));
    for (int look = 0; look < 2; look++) {
      assertEquals(1, core(1).poll(in));
      assertEquals(0, in.source());
      assertEquals(KIND_FIRST, in.kind());
      assertEquals(match, in.match());
      assertEquals(5, in.length());
      assertEquals(5, in.totalLength());
      assertEquals(0, in.words()[Inbound.SEQUENCE]);
      assertEquals(in.words()[Inbound.CELL] + 64, in.words()[Inbound.PAYLOAD]);
    }
    assertTakes(1, "hello");
    assertEquals(Core.AGAIN, core(1).poll(in));
  }

  @Test
  void piecesAreNumberedForEachDestination() {
    for (int number = 0; number < 5; number++) {
      for (int to = 0; to < RANKS; to++) {
        send(0, to, 1, "x");
        assertEquals(1, core(to).poll(in));
        assertEquals(number, in.words()[Inbound.SEQUENCE], "to " + to);
        assertEquals(0, core(to).release());
      }
    }
  }

  @Test
  void anEmptyMessageArrives() {
    assertEquals(0, core(0).trySend(1, KIND_FIRST, 9, 0, MemorySegment.NULL, 0, 0));
    assertTakes(1, "");
    assertEquals(0, send(0, 1, 9, ""));
    assertEquals(0, core(1).receive(9, -1, 0, MemorySegment.NULL, 0, 0, 3, in));
    assertEquals(Core.AGAIN, core(1).poll(in));
  }

  @Test
  void aRankReachesItself() {
    for (int rank = 0; rank < RANKS; rank++) {
      for (int i = 0; i < 3 * CELLS; i++) {
        assertEquals(4, send(rank, rank, i, "self"));
        assertReceives(rank, i, rank, "self");
      }
    }
  }

  @Test
  void piecesOfOneSourceStayInOrder() {
    for (int round = 0; round < 50; round++) {
      send(0, 1, 1, "a");
      send(0, 1, 1, "bb");
      send(0, 1, 1, "ccc");
      assertTakes(1, "a");
      assertTakes(1, "bb");
      assertTakes(1, "ccc");
    }
  }

  @Test
  void piecesOfSeveralSourcesComeInTheOrderOfTheirSends() {
    send(2, 1, 1, "two");
    send(0, 1, 1, "zero");
    send(1, 1, 1, "one");
    send(2, 1, 1, "two again");
    for (String text : new String[] {"two", "zero", "one", "two again"}) {
      assertTakes(1, text);
    }
  }

  @Test
  void takeCopiesAsMuchAsIsAskedForToWhereItIsAsked() {
    send(0, 1, 1, "abcdef");
    assertEquals(1, core(1).poll(in));
    byte[] buffer = "..........".getBytes(StandardCharsets.US_ASCII);
    assertEquals(0, core(1).take(MemorySegment.ofArray(buffer), 3, 4));
    assertEquals("...abcd...", new String(buffer, StandardCharsets.US_ASCII));
    assertEquals(Core.AGAIN, core(1).poll(in), "the rest is gone with its cell");
  }

  @Test
  void takeAndReleaseNeedAPieceFoundByPoll() {
    MemorySegment buffer = MemorySegment.ofArray(new byte[8]);
    assertEquals(EINVAL, core(1).take(buffer, 0, 0));
    assertEquals(EINVAL, core(1).release());
    send(0, 1, 1, "four");
    assertEquals(1, core(1).poll(in));
    assertEquals(EINVAL, core(1).take(buffer, 0, 5));
    assertEquals(EINVAL, core(1).take(buffer, 0, -1));
    assertTakes(1, "four");
    assertEquals(EINVAL, core(1).take(buffer, 0, 0));
    assertEquals(EINVAL, core(1).release());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, RANKS, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void aDestinationOutOfRangeIsRefusedAndCostsNothing(int destination) {
    for (int i = 0; i < 3 * CELLS; i++) {
      assertEquals(EINVAL, core(0).trySend(destination, KIND_FIRST, 1, 1, bytes("x"), 0, 1));
    }
    assertEquals(MOST, fill(0, 1));
  }

  @Test
  void aLongMessageGoesInPieces() {
    byte[] message = pattern(2 * PAYLOAD + 10);
    MemorySegment source = MemorySegment.ofArray(message);
    int sent = 0;
    while (sent < message.length) {
      int left = message.length - sent;
      int taken = core(0).trySend(1, sent == 0 ? KIND_FIRST : KIND_NEXT, 5, message.length, source, sent, left);
      assertEquals(Math.min(left, PAYLOAD), taken);
      sent += taken;
    }
    byte[] copy = new byte[message.length];
    for (int at = 0, piece = 0; at < copy.length; piece++) {
      assertEquals(1, core(1).poll(in));
      assertEquals(piece == 0 ? KIND_FIRST : KIND_NEXT, in.kind());
      assertEquals(piece, in.words()[Inbound.SEQUENCE]);
      assertEquals(message.length, in.totalLength());
      int length = in.length();
      assertEquals(0, core(1).take(MemorySegment.ofArray(copy), at, length));
      at += length;
    }
    assertArrayEquals(message, copy);
    assertEquals(Core.AGAIN, core(1).poll(in));
  }

  @Test
  void aMessageCanBeCalledOff() {
    core(0).trySend(1, KIND_FIRST, 5, 1000, MemorySegment.ofArray(pattern(1000)), 0, 1000);
    core(0).trySend(1, KIND_ABORT, 5, 0, MemorySegment.NULL, 0, 0);
    assertEquals(1, core(1).poll(in));
    assertEquals(1000, in.totalLength());
    core(1).release();
    assertEquals(1, core(1).poll(in));
    assertEquals(KIND_ABORT, in.kind());
    assertEquals(0, in.length());
    core(1).release();
  }

  private static byte[] pattern(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (31 * i + 7);
    }
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 63, 64, 65, PAYLOAD - 1, PAYLOAD})
  void nativeAndHeapBuffersCarryTheSameBytesAtAnyOffset(int length) {
    try (Arena arena = Arena.ofConfined()) {
      byte[] heap = pattern(PAYLOAD + 5);
      MemorySegment offHeap = arena.allocate(PAYLOAD + 5);
      offHeap.copyFrom(MemorySegment.ofArray(heap));
      for (MemorySegment source : new MemorySegment[] {MemorySegment.ofArray(heap), offHeap}) {
        MemorySegment[] destinations = {MemorySegment.ofArray(new byte[PAYLOAD + 9]), arena.allocate(PAYLOAD + 9)};
        for (MemorySegment destination : destinations) {
          core(0).trySend(1, KIND_FIRST, 2, length, source, 5, length);
          assertEquals(length, core(1).receive(2, -1, 0, destination, 9, PAYLOAD, 3, in));
          byte[] wanted = new byte[PAYLOAD + 9];
          System.arraycopy(heap, 5, wanted, 9, length);
          assertArrayEquals(wanted, destination.toArray(ValueLayout.JAVA_BYTE));
        }
      }
    }
  }

  @Test
  void arraysOfOtherTypesAreSentByTheirBytes() {
    double[] sent = {1.5, -2.25, 1e300};
    core(0).trySend(1, KIND_FIRST, 2, 16, MemorySegment.ofArray(sent), 8, 16);
    double[] received = new double[4];
    assertEquals(16, core(1).receive(2, -1, 0, MemorySegment.ofArray(received), 16, 16, 3, in));
    assertArrayEquals(new double[] {0, 0, -2.25, 1e300}, received);
  }

  @Test
  void receiveTellsSourceAndMatch() {
    long match = 0x7fff_ffff_0000_0005L;
    send(2, 1, match, "wanted");
    assertReceives(1, match, 2, "wanted");
    assertEquals(2, in.source());
    assertEquals(match, in.match());
    assertEquals(Core.AGAIN, core(1).poll(in));
  }

  @Test
  void receiveTakesAnySourceAndAnyTagOfItsContext() {
    send(2, 1, 0x8_0000_0003L, "any");
    byte[] buffer = new byte[8];
    assertEquals(
        3, core(1).receive(0x8_0000_0000L, 0xffff_ffff_0000_0000L, -1, MemorySegment.ofArray(buffer), 0, 8, 3, in));
    assertEquals(2, in.source());
    assertEquals(0x8_0000_0003L, in.match());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1, 1000})
  void receiveGivesUpAfterItsLooks(int spins) {
    assertEquals(Core.AGAIN, core(1).receive(1, -1, 0, MemorySegment.ofArray(new byte[8]), 0, 8, spins, in));
  }

  @Test
  void oneLookIsEnoughForWhatIsThere() {
    for (int spins = -1; spins < 2; spins++) {
      send(0, 1, 1, "here");
      assertEquals(4, core(1).receive(1, -1, 0, MemorySegment.ofArray(new byte[8]), 0, 8, spins, in));
    }
  }

  @Test
  void receiveLeavesAnotherMessageToPoll() {
    send(0, 1, 0x1_0000_0002L, "other");
    assertEquals(Core.NOMSG, receiveNothing(1, 0x1_0000_0003L, -1, -1, PAYLOAD), "another tag");
    assertEquals(Core.NOMSG, receiveNothing(1, 0x2_0000_0002L, -1, -1, PAYLOAD), "another context");
    assertEquals(Core.NOMSG, receiveNothing(1, 0x2_0000_0000L, -1L << 32, -1, PAYLOAD), "another context, any tag");
    assertEquals(Core.NOMSG, receiveNothing(1, 0x1_0000_0002L, -1, 2, PAYLOAD), "another source");
    assertEquals(Core.NOMSG, receiveNothing(1, 0x1_0000_0002L, -1, 0, 4), "too long");
    assertTakes(1, "other");
    assertEquals(Core.AGAIN, receiveNothing(1, 0x1_0000_0002L, -1, -1, PAYLOAD));
  }

  @Test
  void receiveLeavesAMessageOfSeveralPiecesToPoll() {
    MemorySegment message = MemorySegment.ofArray(pattern(PAYLOAD + 1));
    core(0).trySend(1, KIND_FIRST, 1, PAYLOAD + 1, message, 0, PAYLOAD + 1);
    core(0).trySend(1, KIND_NEXT, 1, PAYLOAD + 1, message, PAYLOAD, 1);
    for (int length : new int[] {PAYLOAD, 1}) {
      assertEquals(Core.NOMSG, receiveNothing(1, 1, -1, 0, PAYLOAD));
      assertEquals(1, core(1).poll(in));
      assertEquals(length, in.length());
      assertEquals(0, core(1).release());
    }
  }

  @Test
  void receiveTakesWhatPollHasFound() {
    send(0, 1, 1, "found");
    assertEquals(1, core(1).poll(in));
    assertReceives(1, 1, 0, "found");
    assertEquals(Core.AGAIN, core(1).poll(in));
  }

  /** Looks at every queue, so that the cells of pieces taken before go back; a piece that is found stays there. */
  private void returnCells() {
    for (Core core : ranks.cores()) {
      core.poll(in);
    }
  }

  /** Sends one-byte messages until there is no room; how many went. */
  private int fill(int from, int to) {
    returnCells();
    int sent = 0;
    while (send(from, to, 1, "x") == 1) {
      sent++;
      assertTrue(sent <= CELLS, "more messages than cells");
    }
    assertEquals(Core.AGAIN, send(from, to, 1, "x"));
    return sent;
  }

  private int drain(int rank) {
    int drained = 0;
    while (core(rank).poll(in) == 1) {
      assertEquals(0, core(rank).release());
      drained++;
    }
    return drained;
  }

  @Test
  void aSlowReceiverHoldsItsShareAndTheCommonCellsNeverTheSharesOfOthers() {
    assertEquals(MOST, fill(0, 1));
    assertEquals(SHARE, fill(0, 2));
    assertEquals(SHARE, fill(0, 0));
    assertEquals(MOST, fill(2, 1), "another sender has cells of its own");
    core(1).release();
    assertEquals(1, fill(0, 2), "the common cell that came back goes to whoever is next");
    assertEquals(0, fill(0, 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"poll", "receive", "close"})
  void aCellGoesBackAtTheNextLookOrAtTheEnd(String next) {
    assertEquals(MOST, fill(0, 1));
    assertEquals(1, core(1).poll(in));
    assertEquals(0, core(1).release());
    assertEquals(Core.AGAIN, send(0, 1, 1, "y"));
    switch (next) {
      case "poll" -> assertEquals(1, core(1).poll(in));
      case "receive" -> assertEquals(Core.NOMSG, receiveNothing(1, 7, -1, 0, PAYLOAD));
      default -> {
        core(1).close();
        ranks.cores()[1] = pair.odd().open(ranks.segment(), 1);
      }
    }
    assertEquals(1, send(0, 1, 1, "y"));
    assertEquals(Core.AGAIN, send(0, 1, 1, "y"));
  }

  @Test
  void noRoomChangesNothing() {
    assertEquals(MOST, fill(0, 1));
    for (int i = 0; i < 100; i++) {
      assertEquals(Core.AGAIN, send(0, 1, 7, "never"));
    }
    for (int i = 0; i < MOST; i++) {
      assertEquals(1, core(1).poll(in));
      assertEquals(i, in.words()[Inbound.SEQUENCE]);
      assertTakes(1, "x");
    }
    assertEquals(Core.AGAIN, core(1).poll(in));
  }

  @Test
  void everyCellComesBackHoweverItsPieceWasConsumed() {
    for (int round = 0; round < 10 * CELLS; round++) {
      assertEquals(4, send(0, 1, 1, "take"));
      assertTakes(1, "take");
      assertEquals(4, send(0, 2, 1, "recv"));
      assertReceives(2, 1, 0, "recv");
      assertEquals(4, send(0, 0, 1, "drop"));
      assertEquals(1, core(0).poll(in));
      assertEquals(0, core(0).release());
    }
    assertEquals(MOST, fill(0, 1));
    assertEquals(MOST, drain(1));
    assertEquals(MOST, fill(0, 2), "shares and common cells are as at the beginning");
  }

  @Test
  void aBufferThatCannotBeReadFailsTheSendAndNothingElse() {
    Arena arena = Arena.ofShared();
    MemorySegment closed = arena.allocate(16);
    arena.close();
    for (int i = 0; i < 3 * CELLS; i++) {
      assertThrows(IllegalStateException.class, () -> core(0).trySend(1, KIND_FIRST, 1, 16, closed, 0, 16));
    }
    assertEquals(Core.AGAIN, core(1).poll(in), "nothing was sent");
    assertEquals(4, send(0, 1, 1, "next"));
    assertTakes(1, "next");
    assertEquals(MOST, fill(0, 1), "no cell was lost");
  }

  @Test
  void aBufferThatCannotBeWrittenFailsTheReceiveAndLeavesThePiece() {
    Arena arena = Arena.ofShared();
    MemorySegment closed = arena.allocate(16);
    arena.close();
    send(0, 1, 1, "stays");
    assertThrows(IllegalStateException.class, () -> core(1).receive(1, -1, 0, closed, 0, 16, 3, in));
    assertEquals(1, core(1).poll(in));
    assertThrows(IllegalStateException.class, () -> core(1).take(closed, 0, 5));
    assertTakes(1, "stays");
  }

  @Test
  void aBufferOfAnotherThreadFailsTheSendAndNothingElse() throws InterruptedException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment foreign = arena.allocate(16);
      Throwable[] thrown = new Throwable[1];
      Thread other =
          Thread.ofPlatform()
              .start(
                  () ->
                      thrown[0] =
                          assertThrows(
                              WrongThreadException.class,
                              () -> core(0).trySend(1, KIND_FIRST, 1, 16, foreign, 0, 16)));
      other.join();
      assertTrue(thrown[0] instanceof WrongThreadException, "thrown in the other thread");
    }
    assertEquals(4, send(0, 1, 1, "next"));
    assertTakes(1, "next");
  }

  @Test
  void sharesAreNoneWhereRanksAreTooMany() {
    ranks.close();
    ranks = pair.open(directory, 5, 4, 64);
    assertEquals(4, fill(0, 1));
    assertEquals(0, fill(0, 2));
    assertEquals(4, drain(1));
    assertEquals(4, fill(0, 2));
    assertEquals(4, fill(3, 2));
  }

  @Test
  void manyMessagesOfManySizesGoRoundUnharmed() {
    byte[] message = pattern(PAYLOAD);
    byte[] copy = new byte[PAYLOAD];
    for (int i = 0; i < 5000; i++) {
      int from = i % RANKS;
      int to = i / RANKS % RANKS;
      int length = i * 37 % (PAYLOAD + 1);
      assertEquals(length, core(from).trySend(to, KIND_FIRST, i, length, MemorySegment.ofArray(message), 0, length));
      Arrays.fill(copy, (byte) 0);
      assertEquals(length, core(to).receive(i, -1, from, MemorySegment.ofArray(copy), 0, PAYLOAD, 1, in));
      assertEquals(-1, Arrays.mismatch(Arrays.copyOf(message, length), Arrays.copyOf(copy, length)));
    }
  }
}
