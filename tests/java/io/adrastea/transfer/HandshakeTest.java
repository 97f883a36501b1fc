package io.adrastea.transfer;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.core.Cores;
import io.adrastea.core.Spaces;
import io.adrastea.layout.ControlType;
import io.adrastea.link.Inbound;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.space.Exposure;
import io.adrastea.space.RemoteMemory;
import io.adrastea.space.Space;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long it is in doubt whether memory that is gone is gone alone, or with its process. The clock is the test's. */
class HandshakeTest {
  private static final int PEER = 1;

  private long now = Long.MAX_VALUE - 1000; // a clock of nanoseconds may begin anywhere
  private boolean ending;
  private boolean gone;

  private final Wire wire =
      new Wire() {
        @Override
        public void send(int peer, ControlType type, Cookie cookie) {}

        @Override
        public int sendPiece(int peer, int number, Payload payload, Cursor cursor, long most) {
          return 0;
        }

        @Override
        public void takePiece(Payload payload, Cursor cursor, Inbound piece) {}

        @Override
        public void dropPiece() {}

        @Override
        public void begun() {}

        @Override
        public void moved(int peer) {}

        @Override
        public boolean isGone(int peer) {
          return gone;
        }

        @Override
        public boolean isEnding(int peer) {
          return ending;
        }

        @Override
        public Transfer withdrawn(int peer, int number) {
          return null;
        }
      };

  private final Spaces spaces = Cores.choose("java").spaces();
  private final RemoteMemory memory =
      new RemoteMemory(spaces, null, null, new int[PEER + 1], new int[PEER + 1], Space.all(), peer -> true);
  private final Transfers.Resources resources =
      new Transfers.Resources(memory, spaces, null, TransferSettings.inForce(), 8192, 0, PEER + 1, peer -> true);
  private final Handshake handshake = new Handshake(resources, new TransferTable(), wire, () -> now);
  private final Transfer transfer = new Transfer();

  private boolean isOffer(long length, int flags, long... vector) {
    Cookie rts = new Cookie();
    rts.add(length);
    rts.add(Cookie.pack(1, flags));
    rts.add(0);
    for (long word : vector) {
      rts.add(word);
    }
    transfer.begin(false, PEER, length);
    return handshake.offered(transfer, rts);
  }

  /** A message of no bytes is offered for its answer alone: it lies nowhere. */
  @ParameterizedTest
  @ValueSource(ints = {Exposure.SHARED, Exposure.ADDRESS, Exposure.ADDRESS | Exposure.LASTING})
  void anOfferOfNoBytesTellsOfNoMemory(int flags) {
    assertTrue(isOffer(0, 0));
    assertTrue(isOffer(8, 0));
    assertTrue(isOffer(8, flags, 4096, 8));
    assertFalse(isOffer(0, flags));
    assertFalse(isOffer(0, flags, 4096, 0));
    assertFalse(isOffer(8, flags, 4096, 7));
    assertFalse(isOffer(-1, 0));
  }

  private boolean isSettled(int status, long millis) {
    now += TimeUnit.MILLISECONDS.toNanos(millis);
    transfer.failure.set(status, null);
    return handshake.isSettled(transfer);
  }

  private void begin() {
    transfer.begin(false, PEER, 1000);
    transfer.owner = over -> {};
  }

  @Test
  void aProcessThatIsSeenToEndIsWaitedForUntilItIsGone() {
    begin();
    ending = true;
    for (int millis = 0; millis < 4900; millis += 100) {
      assertFalse(isSettled(Spaces.FAULT, 100), "after %d ms".formatted(millis));
    }
    gone = true;
    assertTrue(isSettled(Spaces.FAULT, 0));
  }

  @Test
  void aProcessThatDoesNotComeToItsEndKeepsNobodyWaitingForEver() {
    begin();
    ending = true;
    assertFalse(isSettled(Spaces.FAULT, 0));
    assertFalse(isSettled(Spaces.FAULT, 4000));
    assertTrue(isSettled(Spaces.FAULT, 1001));
  }

  @Test
  void aProcessThatGoesOnIsBelievedAfterAMoment() {
    begin();
    assertFalse(isSettled(Spaces.FAULT, 0));
    assertFalse(isSettled(Spaces.FAULT, 49));
    assertTrue(isSettled(Spaces.FAULT, 2));
  }

  @Test
  void aProcessThatBeginsToEndWhileInDoubtIsWaitedFor() {
    begin();
    assertFalse(isSettled(Spaces.FAULT, 0));
    ending = true;
    assertFalse(isSettled(Spaces.FAULT, 100));
    gone = true;
    assertTrue(isSettled(Spaces.FAULT, 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, Spaces.SRCH, Transfers.NO_MEMORY, Transfers.CANCELED})
  void whatSaysNothingOfAProcessIsToldAtOnce(int status) {
    begin();
    ending = true;
    assertTrue(isSettled(status, 0));
  }
}
