package io.adrastea.core;

import static io.adrastea.layout.CellDescriptor.KIND_FIRST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.link.Inbound;
import io.adrastea.segment.BoxSettings;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * All ranks at once, each on a thread of its own: every rank sends to every rank, itself too, by box, by cell, in place
 * and in bursts, opens boxes when it is asked to, holds some messages for a while, and checks order and bytes of all it
 * gets.
 */
@EveryCorePair
class CoreStressTest extends CoreBoxContract {
  private static final int MESSAGES = 1500; // from each to each

  /** Bytes of message {@code number} from one rank to another, and how many. */
  private static byte[] message(int from, int to, int number) {
    Random random = new Random(from * 31L + to * 7L + number * 1013L);
    byte[] bytes = new byte[random.nextInt(random.nextInt(4) == 0 ? PAYLOAD + 1 : 40)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** A message held: where to give it back, where it lies. */
  private record Held(int source, int number, long place, long payload) {}

  /** One rank at work. */
  private final class Player implements Runnable {
    private final int rank;
    private final Core core;
    private final Random random;
    private final Inbound found = new Inbound();
    private final ArrayDeque<Held> held = new ArrayDeque<>();
    private final int[] sent = new int[RANKS];
    private final int[] got = new int[RANKS];
    private int left = 2 * MESSAGES * RANKS;
    private int burstTo;
    private int burstLeft;

    Player(int rank, long seed) {
      this.rank = rank;
      this.core = core(rank);
      this.random = new Random(seed + rank);
    }

    @Override
    public void run() {
      while ((left > 0 || burstLeft > 0 || !held.isEmpty()) && !Thread.currentThread().isInterrupted()) {
        boolean moved = push(random.nextInt(RANKS));
        moved |= pull();
        if (!moved) {
          Thread.yield();
        }
      }
    }

    private boolean push(int to) {
      if (burstLeft > 0 && --burstLeft == 0) {
        assertEquals(0, core.endBurst(burstTo));
      }
      if (sent[to] == MESSAGES) {
        return false;
      }
      if (burstLeft == 0 && random.nextInt(16) == 0) {
        assertEquals(0, core.beginBurst(to));
        burstTo = to;
        burstLeft = 5;
      }
      byte[] message = message(rank, to, sent[to]);
      int status = random.nextInt(8) == 0 ? sendInPlace(to, message) : sendCopied(to, message);
      assertTrue(status == message.length || status == Core.AGAIN, "sent: " + status);
      if (status == Core.AGAIN) {
        return false;
      }
      sent[to]++;
      left--;
      return true;
    }

    private int sendCopied(int to, byte[] message) {
      MemorySegment source = MemorySegment.ofArray(message);
      return core.trySend(to, KIND_FIRST, sent[to], message.length, source, 0, message.length);
    }

    private int sendInPlace(int to, byte[] message) {
      long room = core.claim(to, KIND_FIRST, sent[to], message.length, message.length);
      if (room < 0) {
        return (int) room;
      }
      assertEquals(Core.BUSY, sendCopied(to, message));
      MemorySegment.copy(message, 0, memory, ValueLayout.JAVA_BYTE, room, message.length);
      if (random.nextInt(3) == 0) {
        memory.asSlice(room, message.length).fill((byte) -1);
        assertEquals(0, core.abort(to));
        return Core.AGAIN;
      }
      assertEquals(0, core.commit(to));
      return message.length;
    }

    private boolean pull() {
      if (!held.isEmpty() && (left == 0 || random.nextInt(4) == 0)) {
        Held oldest = random.nextBoolean() ? held.removeFirst() : held.removeLast();
        assertArrives(oldest.source, oldest.number, oldest.payload);
        assertEquals(0, core.releaseRetained(oldest.source, oldest.place));
      }
      int status = core.poll(random.nextInt(RANKS + 1) - 1, found);
      if (status == Core.WANTED) {
        answer(found.source());
        return true;
      }
      if (status == Core.AGAIN) {
        return false;
      }
      assertEquals(Core.PIECE, status);
      take(found.source());
      return true;
    }

    private void answer(int source) {
      if (random.nextInt(4) == 0) {
        assertEquals(0, core.refuseBox(source));
      } else {
        segment.reserveBox(rank, source);
        assertEquals(0, core.openBox(source));
      }
    }

    private void take(int source) {
      int number = got[source]++;
      left--;
      assertEquals(number, found.match());
      assertArrives(source, number, found.payload());
      if (held.size() < 3 && random.nextInt(8) == 0 && core.retain() == 0) {
        held.add(new Held(source, number, found.place(), found.payload()));
        return;
      }
      byte[] into = new byte[found.length()];
      assertEquals(0, core.take(MemorySegment.ofArray(into), 0, into.length));
      assertEquals(MemorySegment.ofArray(message(source, rank, number)).mismatch(MemorySegment.ofArray(into)), -1);
    }

    private void assertArrives(int source, int number, long payload) {
      byte[] expected = message(source, rank, number);
      MemorySegment there = memory.asSlice(payload, expected.length);
      assertEquals(-1, there.mismatch(MemorySegment.ofArray(expected)), "message " + number + " of rank " + source);
    }
  }

  @Test
  void everythingArrivesInOrderHoweverItIsSentAndTaken() throws Exception {
    close();
    open(new BoxSettings(RING / 64, LIMIT, 5, 0));
    long seed = Long.getLong("adrastea.seed", System.nanoTime());
    System.out.println("CoreStressTest " + pair + " -Dadrastea.seed=" + seed);
    ExecutorService threads = Executors.newFixedThreadPool(RANKS);
    try {
      Future<?>[] players = new Future<?>[RANKS];
      for (int rank = 0; rank < RANKS; rank++) {
        players[rank] = threads.submit(new Player(rank, seed));
      }
      for (Future<?> player : players) {
        player.get();
      }
    } finally {
      threads.shutdownNow();
    }
    for (int rank = 0; rank < RANKS; rank++) {
      assertNothing(rank);
    }
  }
}
