package io.adrastea.transfer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.core.Cores;
import io.adrastea.core.Spaces;
import io.adrastea.layout.ControlType;
import io.adrastea.link.Inbound;
import io.adrastea.payload.Contiguous;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.space.Exposure;
import io.adrastea.space.RemoteMemory;
import io.adrastea.space.Space;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Large messages between two ranks that share no memory: rank 0 sends, rank 1 receives, and the test is the link. */
class LinkTransfersTest {
  private static final int PIECE = 4096;
  private static final long BYTES = 3 * LinkMover.WINDOW + 77;

  /** What is on its way to a rank: a control message, or an offer, with words, or a piece. */
  private record Sent(ControlType type, long[] words, int number, byte[] piece) {}

  /** What has become of a transfer. */
  private static final class Outcome implements Transfer.Owner {
    boolean over;
    int status;

    @Override
    public void finished(Transfer transfer) {
      assertFalse(over, "told twice");
      over = true;
      status = transfer.status();
    }
  }

  /** One of the two ranks. */
  private final class End implements Wire {
    final int rank;
    final Transfers transfers;
    final Deque<Sent> coming = new ArrayDeque<>();
    final List<Transfer> offers = new ArrayList<>();
    final Cookie cookie = new Cookie();
    final Inbound inbound = new Inbound();
    int room = Integer.MAX_VALUE; // pieces that may be on their way to the other rank
    long piecesComing; // bytes of pieces on their way here
    long mostComing;
    int dropped;

    End(int rank) {
      this.rank = rank;
      Spaces spaces = Cores.choose("java").spaces();
      int[] elsewhere = {RemoteMemory.ELSEWHERE, RemoteMemory.ELSEWHERE};
      RemoteMemory memory = new RemoteMemory(spaces, null, null, elsewhere, new int[2], Space.all(), peer -> true);
      this.transfers = new Transfers(
          new Transfers.Resources(memory, spaces, null, TransferSettings.inForce(), PIECE, rank, 2, peer -> false),
          this);
    }

    private End other() {
      return ends[1 - rank];
    }

    @Override
    public void send(int peer, ControlType type, Cookie words) {
      other().coming.add(new Sent(type, words(words), 0, null));
    }

    @Override
    public int sendPiece(int peer, int number, Payload payload, Cursor cursor, long most) {
      int bytes = (int) Math.min(most, PIECE);
      if (other().coming.size() >= room) {
        return 0;
      }
      byte[] piece = new byte[bytes];
      payload.pack(cursor, MemorySegment.ofArray(piece), 0, bytes);
      other().coming.add(new Sent(null, null, number, piece));
      other().piecesComing += bytes;
      other().mostComing = Math.max(other().mostComing, other().piecesComing);
      return bytes;
    }

    @Override
    public void takePiece(Payload payload, Cursor cursor, Inbound piece) {
      payload.unpack(cursor, piece.memory(), piece.payload(), piece.length());
    }

    @Override
    public void dropPiece() {
      dropped++;
    }

    @Override
    public void begun() {}

    @Override
    public void moved(int peer) {}

    @Override
    public boolean isGone(int peer) {
      return false;
    }

    @Override
    public boolean isEnding(int peer) {
      return false;
    }

    @Override
    public Transfer withdrawn(int peer, int number) {
      Transfer found = offers.stream().filter(offer -> offer.peerId() == number).findFirst().orElse(null);
      offers.remove(found);
      return found;
    }

    Transfer send(Outcome outcome, Payload payload) {
      Transfer transfer = transfers.send(outcome, payload, false, 1 - rank, cookie);
      other().coming.add(new Sent(null, words(cookie), 0, null));
      transfers.sent(transfer);
      return transfer;
    }

    void receive(Outcome outcome, Payload payload) {
      transfers.receive(outcome, payload, false, offers.removeFirst());
    }

    /** Takes in the next thing that has come; whether it could be. */
    boolean takeIn() {
      Sent next = coming.poll();
      if (next.piece() != null) {
        piecesComing -= next.piece().length;
        inbound.found(1 - rank, 1, 0, next.piece().length, MemorySegment.ofArray(next.piece()), 0, next.piece().length,
            0);
        return transfers.piece(next.number(), inbound);
      }
      MemorySegment words = MemorySegment.ofArray(next.words());
      assertTrue(cookie.fill(words, (int) words.byteSize()));
      if (next.type() != null) {
        return transfers.received(1 - rank, next.type(), cookie);
      }
      Transfer offer = transfers.offered(1 - rank, 0, cookie);
      if (offer != null) {
        offers.add(offer);
      }
      return offer != null;
    }

    void takeAllIn() {
      while (!coming.isEmpty()) {
        assertTrue(takeIn());
      }
    }
  }

  private final End[] ends = new End[2];
  private final End sender;
  private final End receiver;
  private final Outcome sent = new Outcome();
  private final Outcome received = new Outcome();

  LinkTransfersTest() {
    ends[0] = new End(0);
    ends[1] = new End(1);
    sender = ends[0];
    receiver = ends[1];
  }

  private static long[] words(Cookie cookie) {
    long[] words = new long[cookie.bytes() / Long.BYTES];
    MemorySegment.ofArray(words).copyFrom(cookie.memory().asSlice(0, cookie.bytes()));
    return words;
  }

  private static Payload payload(byte[] bytes) {
    return payload(MemorySegment.ofArray(bytes));
  }

  private static Payload payload(MemorySegment memory) {
    return new Contiguous(memory, 0, memory.byteSize());
  }

  private static byte[] contents(long bytes, int seed) {
    byte[] contents = new byte[(int) bytes];
    new SplittableRandom(seed).nextBytes(contents);
    return contents;
  }

  /** Moves both ends on until nothing is on its way. */
  private void run() {
    while (sendsAll() | !sender.coming.isEmpty() | !receiver.coming.isEmpty()
        | receiver.transfers.progress()) {
      sender.takeAllIn();
      receiver.takeAllIn();
    }
  }

  /** The sender moves on until it has to wait for its receiver; whether it had anything to move. */
  private boolean sendsAll() {
    boolean any = false;
    while (sender.transfers.progress()) {
      any = true;
    }
    return any;
  }

  private void assertNothingIsLeft() {
    for (End end : ends) {
      List<String> words = new ArrayList<>();
      end.transfers.describe(words);
      assertEquals(List.of(), words);
      assertTrue(end.transfers.isIdle());
    }
  }

  private void assertOver(Outcome outcome, int status) {
    assertTrue(outcome.over);
    assertEquals(status, outcome.status);
  }

  @Test
  void comeWholeAndNeverMoreThanAWindowIsOnItsWay() {
    byte[] from = contents(BYTES, 1);
    byte[] to = new byte[from.length];
    sender.send(sent, payload(from));
    sender.transfers.progress();
    receiver.takeAllIn();
    assertEquals(0, receiver.mostComing, "nothing goes before the message is matched");
    receiver.receive(received, payload(to));
    run();
    assertOver(sent, 0);
    assertOver(received, 0);
    assertArrayEquals(from, to);
    assertTrue(receiver.mostComing > LinkMover.WINDOW / 4 && receiver.mostComing <= LinkMover.WINDOW,
        "most on the way: " + receiver.mostComing);
    assertNothingIsLeft();
  }

  @Test
  void ofNoBytesOrForNoBytesAreOverWhenTheyAreMatched() {
    for (int bytes : new int[] {0, 8}) {
      Outcome end = new Outcome();
      Outcome matched = new Outcome();
      sender.send(end, payload(new byte[bytes]));
      run();
      assertFalse(end.over);
      receiver.receive(matched, payload(new byte[0]));
      run();
      assertOver(end, 0);
      assertOver(matched, 0);
    }
    assertEquals(0, receiver.mostComing);
    assertNothingIsLeft();
  }

  @Test
  void bringNoMoreThanTheReceiverTakes() {
    byte[] from = contents(BYTES, 1);
    byte[] to = new byte[5000];
    sender.send(sent, payload(from));
    receiver.takeAllIn();
    receiver.receive(received, payload(to));
    run();
    assertOver(sent, 0);
    assertOver(received, 0);
    assertArrayEquals(Arrays.copyOf(from, to.length), to);
    assertEquals(to.length, receiver.mostComing);
    assertNothingIsLeft();
  }

  @Test
  void goOnInTurnWhereRoomIsScarce() {
    int count = 5;
    Outcome[] outcomes = new Outcome[count];
    for (int i = 0; i < count; i++) {
      outcomes[i] = new Outcome();
      sender.send(new Outcome(), payload(contents(LinkMover.WINDOW, i)));
    }
    receiver.takeAllIn();
    byte[][] to = new byte[count][(int) LinkMover.WINDOW];
    for (int i = 0; i < count; i++) {
      receiver.receive(outcomes[i], payload(to[i]));
    }
    sender.room = 2;
    sender.takeAllIn();
    long half = LinkMover.WINDOW / PIECE * count / 2;
    for (long pieces = 0; pieces < half; pieces += sender.room) {
      sender.transfers.progress();
      receiver.takeAllIn();
      sender.takeAllIn();
    }
    long least = Long.MAX_VALUE;
    long most = 0;
    for (byte[] bytes : to) {
      long filled = 0;
      for (int at = 0; at < bytes.length; at += PIECE) {
        filled += Arrays.equals(bytes, at, at + PIECE, new byte[PIECE], 0, PIECE) ? 0 : PIECE;
      }
      least = Math.min(least, filled);
      most = Math.max(most, filled);
    }
    assertTrue(most - least <= LinkMover.STEP, "one has %d bytes, another %d".formatted(most, least));
    run();
    for (int i = 0; i < count; i++) {
      assertOver(outcomes[i], 0);
      assertArrayEquals(contents(LinkMover.WINDOW, i), to[i]);
    }
    assertNothingIsLeft();
  }

  @Test
  void failAtBothEndsWhereTheSenderLosesItsBuffer() {
    try (Arena arena = Arena.ofShared()) {
      sender.send(sent, payload(arena.allocate(BYTES)));
      receiver.takeAllIn();
      receiver.receive(received, payload(new byte[(int) BYTES]));
      sender.takeAllIn();
      receiver.takeIn();
    }
    run();
    assertOver(sent, Transfers.CANCELED);
    assertOver(received, Transfers.CANCELED);
    assertNothingIsLeft();
  }

  @Test
  void failAtBothEndsWhereTheReceiverLosesItsBuffer() {
    try (Arena arena = Arena.ofShared()) {
      sender.send(sent, payload(contents(BYTES, 1)));
      receiver.takeAllIn();
      receiver.receive(received, payload(arena.allocate(BYTES)));
      sender.takeAllIn();
      receiver.takeIn();
    }
    run();
    assertOver(sent, Transfers.CANCELED);
    assertOver(received, Transfers.CANCELED);
    assertTrue(receiver.dropped > 0);
    assertNothingIsLeft();
  }

  @Test
  void failAtBothEndsWhereTheLastPieceFindsNoBuffer() {
    try (Arena arena = Arena.ofShared()) {
      sender.send(sent, payload(contents(PIECE, 1)));
      receiver.takeAllIn();
      receiver.receive(received, payload(arena.allocate(PIECE)));
      sender.takeAllIn();
      sender.transfers.progress();
    }
    assertFalse(sent.over, "it waits for its receiver, which may fail");
    run();
    assertOver(sent, Transfers.CANCELED);
    assertOver(received, Transfers.CANCELED);
    assertNothingIsLeft();
  }

  @Test
  void failAtTheOtherEndWhereOneIsGivenUp() {
    for (boolean atSender : new boolean[] {true, false}) {
      Outcome end = new Outcome();
      Outcome matched = new Outcome();
      Transfer transfer = sender.send(end, payload(contents(BYTES, 1)));
      receiver.takeAllIn();
      Transfer offer = receiver.offers.getFirst();
      receiver.receive(matched, payload(new byte[(int) BYTES]));
      sender.takeAllIn();
      receiver.takeIn();
      (atSender ? sender : receiver).transfers.giveUp(atSender ? transfer : offer, false);
      run();
      assertFalse((atSender ? end : matched).over);
      assertOver(atSender ? matched : end, Transfers.CANCELED);
      assertNothingIsLeft();
      assertFalse(transfer.isOrphan() || offer.isOrphan(), "it is over for nobody, too");
    }
  }

  @Test
  void areTakenBackUntilTheyAreMatched() {
    Transfer transfer = sender.send(sent, payload(contents(BYTES, 1)));
    receiver.takeAllIn();
    sender.transfers.withdraw(transfer);
    run();
    assertOver(sent, Transfers.WITHDRAWN);
    assertEquals(List.of(), receiver.offers);
    Outcome late = new Outcome();
    Transfer second = sender.send(late, payload(contents(BYTES, 2)));
    receiver.takeAllIn();
    receiver.receive(received, payload(new byte[(int) BYTES]));
    sender.transfers.withdraw(second);
    run();
    assertOver(late, 0);
    assertOver(received, 0);
    assertNothingIsLeft();
  }

  @Test
  void aPieceOfOneThatIsOverIsNoPieceOfTheNext() {
    sender.send(sent, payload(contents(PIECE, 1)));
    receiver.takeAllIn();
    receiver.receive(received, payload(new byte[PIECE]));
    sender.takeAllIn();
    sender.transfers.progress();
    Sent piece = receiver.coming.peekFirst();
    run();
    assertOver(received, 0);
    sender.send(new Outcome(), payload(contents(PIECE, 2)));
    receiver.takeAllIn();
    receiver.receive(new Outcome(), payload(new byte[PIECE]));
    receiver.coming.addFirst(piece);
    receiver.piecesComing += PIECE;
    assertTrue(receiver.takeIn());
    assertEquals(1, receiver.dropped);
  }

  @Test
  void whatNoCorrectRankSendsIsRefused() {
    sender.send(sent, payload(contents(PIECE, 1)));
    receiver.takeAllIn();
    receiver.receive(received, payload(new byte[PIECE]));
    long[] cts = sender.coming.peekFirst().words();
    int number = (int) (cts[Cookie.TARGET] >>> Integer.SIZE);
    for (int way : new int[] {Cookie.GET, Cookie.PUT, Cookie.RING, 0, 5}) {
      long[] other = cts.clone();
      other[Cookie.WAY] = way;
      assertFalse(isInvited(other), "by way " + way);
    }
    long[] more = cts.clone();
    more[Cookie.GRANTED] = PIECE + 1;
    assertEquals(Transfers.CORRUPT, statusInvited(more));
    more[Cookie.GRANTED] = 0;
    assertEquals(Transfers.CORRUPT, statusInvited(more));
    receiver.coming.clear();
    receiver.coming.add(new Sent(null, null, TransferTable.pieceNumber(number), new byte[PIECE + 1]));
    assertFalse(receiver.takeIn(), "more than it lets come");
    receiver.coming.add(new Sent(null, null, TransferTable.pieceNumber(number), new byte[0]));
    assertFalse(receiver.takeIn());
    long[] memory = {8, Cookie.pack(1, Exposure.ADDRESS), 0, 4096, 8};
    receiver.coming.add(new Sent(null, memory, 0, null));
    assertFalse(receiver.takeIn(), "it offers memory that is not shared");
  }

  /** Whether a new sender takes such words as a CTS. */
  private boolean isInvited(long[] cts) {
    ends[0] = new End(0);
    ends[0].send(new Outcome(), payload(new byte[PIECE]));
    receiver.coming.clear();
    ends[0].coming.add(new Sent(ControlType.CTS, cts, 0, null));
    return ends[0].takeIn();
  }

  private int statusInvited(long[] cts) {
    Outcome outcome = new Outcome();
    ends[0] = new End(0);
    assertNotNull(ends[0].send(outcome, payload(new byte[PIECE])));
    receiver.coming.clear();
    ends[0].coming.add(new Sent(ControlType.CTS, cts, 0, null));
    assertTrue(ends[0].takeIn());
    assertTrue(outcome.over);
    return outcome.status;
  }
}
