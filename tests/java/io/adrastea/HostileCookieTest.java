package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bootstrap.JoinedRank;
import io.adrastea.bootstrap.ThreadJob;
import io.adrastea.core.Core;
import io.adrastea.engine.resources.EngineSettings;
import io.adrastea.error.AdrasteaException;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.link.Inbound;
import io.adrastea.peers.Links;
import io.adrastea.transfer.TransferSettings;
import io.adrastea.wait.Gate;
import io.adrastea.wait.WaitPolicy;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A peer that writes any cookies into the messages of transfers: exceptions, and nothing that hangs. With the core in
 * Java, which has no way to write where such a cookie tells it to.
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileCookieTest {
  private static final int BYTES = 100_000;
  private static final int ROUNDS = 60;
  private static final int GO = 1 << 20; // above all other tags
  private static final int END = GO + 1;
  private static final long CONTROL = 0xFFFF_FFFFL << 32 | CellDescriptor.MATCH_TRANSFER;
  private static final int LEAST_WORDS = 3; // of an RTS
  private static final long[] WORDS = {
    0, 1, 2, 3, 4, 7, 8, 63, 64, 4095, 4096, 8192, BYTES, BYTES - 1, BYTES + 1, 1 << 20, 0x0701, 0x0307,
    Integer.MAX_VALUE, 1L << 32, 1L << 40, -1, -8, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 62
  };

  /** The peer: a core without an engine. */
  private static final class Peer {
    private final Core core;
    private final SplittableRandom random;
    private final Inbound inbound = new Inbound();
    private final MemorySegment cell = MemorySegment.ofArray(new long[1024]);
    private final long[] words = new long[40];

    Peer(Core core, long seed) {
      this.core = core;
      this.random = new SplittableRandom(seed);
    }

    /** Waits for a message; the first words of it are in {@code cell}. */
    long await(boolean transfer) {
      while (true) {
        if (core.poll(-1, inbound) == Core.AGAIN) {
          Thread.onSpinWait();
          continue;
        }
        long match = inbound.match();
        core.take(cell, 0, inbound.length());
        if ((match & CellDescriptor.MATCH_TRANSFER) != 0 == transfer && match >>> 32 == 0) {
          return cell.get(ValueLayout.JAVA_LONG, Long.BYTES);
        }
      }
    }

    void send(long match, int bytes) {
      MemorySegment memory = MemorySegment.ofArray(words);
      while (core.trySend(0, CellDescriptor.KIND_FIRST, match, bytes, memory, 0, bytes) == Core.AGAIN) {
        Thread.onSpinWait();
      }
    }

    private void anyWords() {
      for (int i = 0; i < words.length; i++) {
        words[i] = random.nextInt(8) == 0 ? random.nextLong() : WORDS[random.nextInt(WORDS.length)];
      }
    }

    /** A message for a transfer of the other rank, or for none. */
    void control(long id) {
      anyWords();
      if (random.nextInt(4) != 0) {
        words[0] = id & 0xFFFF_FFFFL | (long) random.nextInt(4) << 32;
      }
      if (random.nextBoolean()) {
        words[1] = 1 + random.nextInt(3) | random.nextInt(5) << 8; // a way and a path
        words[2] = 0;
        words[3] = random.nextInt(BYTES + 2);
      }
      send(CONTROL | random.nextInt(5), Long.BYTES * (1 + random.nextInt(words.length)));
    }

    /** A large message that does not exist. */
    void offer(int tag) {
      anyWords();
      if (random.nextBoolean()) {
        words[0] = BYTES;
        words[1] = random.nextInt(8) << 16 | (long) random.nextInt(1 << 24) << 32;
        words[3] = random.nextInt(1 << 20);
        words[4] = BYTES;
      }
      send(tag | CellDescriptor.MATCH_TRANSFER, Long.BYTES * (LEAST_WORDS + random.nextInt(5)));
    }
  }

  private static void attack(Peer peer) {
    for (int round = 0; round < ROUNDS; round++) {
      long id = peer.await(true);
      for (int i = 0; i < 4; i++) {
        peer.control(id);
      }
      peer.offer(round);
      peer.control(id);
      peer.send(GO, 0);
    }
    peer.await(false); // the others are done with what they were sent
  }

  /** Begins operations that the cookies are for; each call may throw, none may wait for ever. */
  private static List<Request> suffer(Communicator world) {
    List<Request> requests = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      int tag = round;
      tried(() -> requests.add(world.isend(Data.of(new byte[BYTES]), 1, tag)));
      tried(() -> requests.add(world.irecv(Data.of(new byte[BYTES]), 1, tag)));
      while (!tried(() -> world.recv(Data.of(new byte[0]), 1, GO))) {
        Thread.onSpinWait(); // a malformed cookie; the message is still to come
      }
    }
    while (!tried(() -> world.send(Data.of(new byte[0]), 1, END))) {
      Thread.onSpinWait();
    }
    return requests;
  }

  private static boolean tried(Runnable call) {
    try {
      call.run();
      return true;
    } catch (AdrasteaException e) {
      assertTrue(e.getMessage() != null && !e.getMessage().isEmpty());
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void causeExceptionsAndNothingThatHangs(long seed) throws Exception {
    EngineSettings settings =
        new EngineSettings(new WaitPolicy(1000, Optional.empty(), null, 0), TransferSettings.inForce(), true,
            Gate.Threads.IN_TURN, Links.SHARED_MEMORY);
    try (ThreadJob threadJob =
        Settings.with(Map.of("adrastea.core", "java"), () -> ThreadJob.create(2));
        var threads = Executors.newFixedThreadPool(2)) {
      CountDownLatch gone = new CountDownLatch(1);
      Future<?> attacker =
          threads.submit(
              () -> {
                JoinedRank joined = threadJob.enter(1, () -> false);
                attack(new Peer(joined.core(), seed));
                joined.fail();
                gone.countDown();
              });
      Future<?> victim =
          threads.submit(
              () -> {
                Job job = new Job(threadJob.enter(0, () -> false), false, settings);
                List<Request> requests = suffer(job.world());
                Ranks.await(gone);
                long failed = requests.stream().filter(request -> !tried(request::await)).count();
                assertTrue(failed > 0, "none of the cookies did any harm");
                assertThrows(AdrasteaException.class, () -> job.world().recv(Data.of(new byte[8]), 1, 0));
                job.fail("");
                return null;
              });
      victim.get(Ranks.PATIENCE_SECONDS, TimeUnit.SECONDS);
      attacker.get(Ranks.PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }
}
