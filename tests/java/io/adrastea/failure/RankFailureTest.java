package io.adrastea.failure;

import static io.adrastea.Communicator.ANY_SOURCE;
import static io.adrastea.Communicator.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.EveryCoreList;
import io.adrastea.Job;
import io.adrastea.LongMessages;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.error.RankFailedException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations that depend on a rank that failed: each fails and names it, and the others go on. */
@EveryCoreList
class RankFailureTest {
  private static final int BIG = 3 * Ranks.ALL_CELLS;

  /** All the ways to wait for rank 1. */
  private static final Map<String, Consumer<Communicator>> WAITS = new TreeMap<>();

  static {
    byte[] small = new byte[8];
    byte[] big = new byte[BIG];
    WAITS.put("recv", world -> world.recv(Data.of(small, 0, 8), 1, 0));
    WAITS.put("recv of any tag", world -> world.recv(Data.of(small, 0, 8), 1, ANY_TAG));
    WAITS.put("recv from any source", world -> world.recv(Data.of(small, 0, 8), ANY_SOURCE, 77));
    Datatype rows = Datatype.hvector(4, 1, 2, Datatype.BYTE);
    Datatype manyRows = Datatype.hvector(BIG / 2, 1, 2, Datatype.BYTE);
    WAITS.put("recv of a type", world -> world.recv(Data.of(small, 0, 1, rows), 1, 0));
    WAITS.put("send of a type", world -> world.send(Data.of(big, 0, 1, manyRows), 1, 0));
    WAITS.put("ssend of a type", world -> world.ssend(Data.of(small, 0, 1, rows), 1, 0));
    WAITS.put("irecv and await", world -> world.irecv(Data.of(small, 0, 8), 1, 0).await());
    WAITS.put("send that is not received", world -> world.send(Data.of(big, 0, BIG), 1, 0));
    WAITS.put("small sends to a full queue", RankFailureTest::sendForEver);
    WAITS.put("isend and await", world -> world.isend(Data.of(big, 0, BIG), 1, 0).await());
    WAITS.put("ssend of no bytes", world -> world.ssend(Data.of(new byte[0]), 1, 0));
    WAITS.put("issend and await", world -> world.issend(Data.of(small), 1, 0).await());
    WAITS.put("large ssend", world -> world.ssend(Data.of(big), 1, 0));
    WAITS.put("sendrecv", world -> world.sendrecv(Data.of(small, 0, 8), 0, 76, Data.of(small, 0, 8), 1, 0));
    WAITS.put("probe", world -> world.probe(1, 0));
    WAITS.put("probe of any source", world -> world.probe(ANY_SOURCE, 77));
    WAITS.put("mprobe", world -> world.mprobe(1, 0));
    WAITS.put("waitSome",
        world -> Request.waitSome(new Request[] {world.irecv(Data.of(small), 1, 0)}, new int[1]));
    WAITS.put("sendrecvReplace", world -> world.sendrecvReplace(Data.of(small), 0, 76, 1, 0));
    WAITS.put("barrier", Communicator::barrier);
    WAITS.put("waitAll", world -> Request.waitAll(world.irecv(Data.of(small, 0, 8), 1, 0)));
    WAITS.put("waitAny", world -> Request.waitAny(null, world.irecv(Data.of(small, 0, 8), 1, 0)));
    WAITS.put("persistent", world -> world.recvInit(Data.of(small, 0, 8), 1, 0).start().await());
  }

  @Parameter
  String cores;

  static Stream<String> waits() {
    return WAITS.keySet().stream();
  }

  private static void sendForEver(Communicator world) {
    while (true) {
      world.send(Data.of(new byte[8], 0, 8), 1, 0);
    }
  }

  /** Runs ranks of which rank 1 fails on purpose; checks that its failure comes out, alone. */
  private void run(int ranks, Job.Body others) {
    run(LongMessages.BY_RENDEZVOUS, ranks, others);
  }

  private void run(LongMessages way, int ranks, Job.Body others) {
    assertEquals(List.of(), List.of(thrownBy(way, ranks, others).getSuppressed()), "failures of others");
  }

  private Throwable thrownBy(LongMessages way, int ranks, Job.Body others) {
    IllegalArgumentException cause = new IllegalArgumentException("on purpose");
    Throwable thrown =
        assertThrows(
            RuntimeException.class,
            () -> way.run(
                cores,
                ranks,
                job -> {
                  if (Ranks.world(job).rank() == 1) {
                    throw cause;
                  }
                  others.run(job);
                }));
    assertSame(cause, thrown);
    return thrown;
  }

  private static void checkNames(RankFailedException failure) {
    assertEquals(1, failure.rank());
    assertTrue(Ranks.byRank(failure.getMessage()).startsWith("rank 1 "), failure.getMessage());
    assertTrue(failure.getMessage().contains("has failed: IllegalArgumentException: on purpose; a "),
        failure.getMessage());
    assertTrue(failure.getMessage().contains(" cannot complete; operations with other ranks go on"),
        failure.getMessage());
  }

  @ParameterizedTest
  @MethodSource("waits")
  void endsAWaitAndLetsTheOthersTalk(String wait) {
    endsAWait(LongMessages.BY_RENDEZVOUS, wait);
  }

  @ParameterizedTest
  @ValueSource(strings = {"send that is not received", "isend and await"})
  void endsASendOfPieces(String wait) {
    endsAWait(LongMessages.IN_PIECES, wait);
  }

  private void endsAWait(LongMessages way, String wait) {
    if (wait.contains("ssend")) {
      Ranks.assumeShared(cores);
    }
    run(
        way,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          checkNames(
              assertThrows(RankFailedException.class, () -> WAITS.get(wait).accept(world)));
          int peer = 2 - world.rank();
          byte[] received = new byte[BIG];
          Request send = world.isend(Data.of(Contents.of(BIG, world.rank()), 0, BIG), peer, 5);
          world.recv(Data.of(received, 0, BIG), peer, 5);
          send.await();
          Contents.check(BIG, peer, received);
        });
  }

  @Test
  void endsAWaitThoughOthersKeepSending() {
    AtomicBoolean ended = new AtomicBoolean();
    run(
        3,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            RankFailedException failure =
                assertThrows(RankFailedException.class, () -> world.recv(Data.of(new byte[8], 0, 8), 1, 0));
            ended.set(true);
            checkNames(failure);
            while (world.recv(Data.of(new byte[8], 0, 8), 2, ANY_TAG).tag() == 0) {
              // until the last one
            }
          } else {
            for (int i = 0; i < 4000 && !ended.get(); i++) {
              world.send(Data.of(new byte[8], 0, 8), 0, 0);
              Thread.sleep(5);
            }
            assertTrue(ended.get(), "the wait went on while messages came from here");
            world.send(Data.of(new byte[8], 0, 8), 0, 1);
          }
        });
  }

  @Test
  void failsAllOfSeveralRequestsThatDependOnIt() {
    run(
        3,
        job -> {
          Communicator world = Ranks.world(job);
          int peer = 2 - world.rank();
          byte[] received = new byte[8];
          Request good = world.irecv(Data.of(received, 0, 8), peer, 0);
          Request first = world.irecv(Data.of(new byte[8], 0, 8), 1, 0);
          Request second = world.isend(Data.of(new byte[BIG], 0, BIG), 1, 0);
          world.send(Data.of(Contents.of(8, world.rank()), 0, 8), peer, 0);
          checkNames(
              assertThrows(RankFailedException.class, () -> Request.waitAll(first, second, good)));
          Contents.check(8, peer, received);
        });
  }

  @Test
  void throwsTheCauseAndNotWhatFollowedFromIt() {
    Throwable thrown =
        thrownBy(
            LongMessages.BY_RENDEZVOUS,
            3,
            job -> {
              try {
                Ranks.world(job).recv(Data.of(new byte[8], 0, 8), 1, 0);
              } catch (RankFailedException e) {
                throw Ranks.world(job).rank() == 0 ? e : new IllegalStateException("a consequence", e);
              }
            });
    assertEquals(2, thrown.getSuppressed().length);
    assertEquals("a consequence", thrown.getSuppressed()[0].getMessage());
    checkNames((RankFailedException) thrown.getSuppressed()[1]);
  }

  @Test
  void wrapsACheckedException() {
    Exception cause = new java.io.IOException("on purpose");
    Throwable thrown =
        assertThrows(
            io.adrastea.error.AdrasteaException.class,
            () -> Ranks.run(
                cores,
                1,
                job -> {
                  throw cause;
                }));
    assertSame(cause, thrown.getCause());
  }
}
