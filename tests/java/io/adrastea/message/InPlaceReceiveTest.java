package io.adrastea.message;

import static io.adrastea.Communicator.ANY_SOURCE;
import static io.adrastea.Communicator.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.LongMessages;
import io.adrastea.Message;
import io.adrastea.MessageHandler;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.ThreadLevel;
import io.adrastea.Threads;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages that are received where they lie. */
@EveryCoreList
class InPlaceReceiveTest {
  private static final int[] SIZES = {
    0, 1, 8, 47, 48, 49, 300, 4000, Ranks.CELL_BYTES, Ranks.CELL_BYTES + 1, 100_000, Ranks.ALL_CELLS + 7
  };

  /** More messages than there is room for, whatever way they go. */
  private static final int MANY = 3000;

  @Parameter
  String cores;

  private static void check(Message message, int bytes, long seed) {
    assertEquals(bytes, message.bytes());
    byte[] copy = new byte[bytes];
    message.copyTo(0, Data.of(copy, 0, bytes));
    Contents.check(bytes, seed, copy);
    Contents.check(bytes, seed, message.segment());
  }

  private static void send(Communicator world, int bytes, long seed, int destination, int tag) {
    world.send(Data.of(Contents.of(bytes, seed)), destination, tag);
  }

  @Test
  void aHandlerSeesMessagesOfAllSizes() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          for (int round = 0; round < 5; round++) {
            for (int bytes : SIZES) {
              if (world.rank() == 0) {
                send(world, bytes, bytes + round, 1, 3);
              } else {
                int[] calls = new int[1];
                int seed = bytes + round;
                world.recv(
                    ANY_SOURCE,
                    ANY_TAG,
                    message -> {
                      assertEquals(0, message.source());
                      assertEquals(3, message.tag());
                      check(message, bytes, seed);
                      calls[0]++;
                    });
                assertEquals(1, calls[0]);
              }
            }
          }
        });
  }

  @Test
  void messagesOfOnePieceAreNotCopied() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          for (int bytes : new int[] {0, 8, 48, 4000, Ranks.CELL_BYTES}) {
            for (int i = 0; i < 5; i++) {
              send(world, bytes, i, 0, 0);
            }
            for (int i = 0; i < 5; i++) {
              try (Message message = i % 2 == 0 ? world.recvMessage(0, 0) : world.tryRecvMessage(0, 0)) {
                assertTrue(message.segment().isNative(), "message " + i + " of " + bytes + " bytes was copied");
              }
            }
          }
        });
  }

  @Test
  void valuesAreReadAtAnyOffset() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          MemorySegment out = MemorySegment.ofArray(Contents.of(40, 1));
          for (int rounds = 0; rounds < 2; rounds++) { // as it lies, and copied aside
            world.send(out, 0, 0);
            if (rounds == 1) {
              world.probe(0, 0);
            }
            try (Message message = world.recvMessage(0, 0)) {
              for (int at = 0; at <= 32; at++) {
                assertEquals(out.get(ValueLayout.JAVA_BYTE, at), message.getByte(at));
                assertEquals(out.get(ValueLayout.JAVA_SHORT_UNALIGNED, at), message.getShort(at));
                assertEquals(out.get(ValueLayout.JAVA_INT_UNALIGNED, at), message.getInt(at));
                assertEquals(out.get(ValueLayout.JAVA_LONG_UNALIGNED, at), message.getLong(at));
                assertEquals(out.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at), message.getFloat(at));
                assertEquals(out.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at), message.getDouble(at));
              }
              long[] longs = new long[4];
              message.copyTo(8, Data.of(longs, 1, 3));
              assertEquals(message.getLong(24), longs[3]);
              MemorySegment target = MemorySegment.ofArray(new byte[10]);
              message.copyTo(5, target, 2, 8);
              assertEquals(-1, target.asSlice(2).mismatch(out.asSlice(5, 8)));
            }
          }
        });
  }

  @Test
  void everythingElseGoesOnWhileMessagesAreHeldAndGivenBackInAnyOrder() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          SplittableRandom random = new SplittableRandom(7);
          for (int round = 0; round < 300; round++) {
            int bytes = SIZES[round % (SIZES.length - 1)];
            if (world.rank() == 0) {
              send(world, bytes, round, 1, 0);
              send(world, 8, -round, 1, 1);
              if (round % 50 == 49) {
                world.recv(Data.of(new byte[1]), 1, 0);
              }
            } else {
              held(world, round, bytes, random);
            }
          }
        });
  }

  private final List<Message> held = new ArrayList<>();
  private final List<int[]> heldAs = new ArrayList<>();

  private void held(Communicator world, int round, int bytes, SplittableRandom random) {
    held.add(world.recvMessage(0, 0));
    heldAs.add(new int[] {bytes, round});
    byte[] other = new byte[8];
    world.recv(Data.of(other, 0, 8), 0, 1);
    Contents.check(8, -round, other);
    for (int most = round % 50 == 49 ? 0 : 5; held.size() > most;) {
      int which = random.nextInt(held.size());
      check(held.get(which), heldAs.get(which)[0], heldAs.get(which)[1]);
      held.remove(which).release();
      heldAs.remove(which);
    }
    if (round % 50 == 49) {
      world.send(Data.of(new byte[1]), 0, 0);
    }
  }

  @Test
  void aSenderWhoseRoomIsAllHeldWaits() throws Exception {
    Ranks.assumeShared(cores);
    for (int bytes : new int[] {8, 200, Ranks.CELL_BYTES}) {
      CountDownLatch sent = new CountDownLatch(1);
      CountDownLatch held = new CountDownLatch(1);
      CountDownLatch tested = new CountDownLatch(1);
      Ranks.run(
          cores,
          2,
          job -> {
            Communicator world = Ranks.world(job);
            if (world.rank() == 0) {
              Request[] sends = new Request[MANY];
              for (int i = 0; i < sends.length; i++) {
                sends[i] = world.isend(Data.of(Contents.of(bytes, i)), 1, 0);
              }
              sent.countDown();
              Ranks.await(held);
              for (int looks = 0; looks < 1000; looks++) {
                assertFalse(sends[sends.length - 1].test());
              }
              tested.countDown();
              Request.waitAll(sends);
            } else {
              Ranks.await(sent);
              List<Message> all = holdAll(world);
              held.countDown();
              Ranks.await(tested);
              all.addAll(holdAll(world)); // what has gone by cells meanwhile
              giveBackAndReceiveTheRest(world, all, MANY, bytes);
            }
          });
    }
  }

  private static List<Message> holdAll(Communicator world) {
    List<Message> all = new ArrayList<>();
    for (Message next; (next = world.tryRecvMessage(0, 0)) != null;) {
      all.add(next);
    }
    return all;
  }

  private static void giveBackAndReceiveTheRest(
      Communicator world, List<Message> all, int messages, int bytes) {
    int held = all.size();
    assertTrue(held > 10 && held < messages, "held " + held);
    for (int i = 0; i < held; i++) {
      check(all.get(i), bytes, i);
    }
    Collections.reverse(all);
    all.forEach(Message::release);
    for (int i = held; i < messages; i++) {
      int seed = i;
      world.recv(0, 0, message -> check(message, bytes, seed));
    }
  }

  @Test
  void messagesKeepTheirOrderAmongPlainReceives() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          SplittableRandom random = new SplittableRandom(3);
          byte[] received = new byte[20_000];
          for (int i = 0; i < 2000; i++) {
            int bytes = random.nextInt(10) == 0 ? random.nextInt(20_000) : random.nextInt(100);
            int way = random.nextInt(4);
            if (world.rank() == 0) {
              send(world, bytes, i, 1, i % 3);
            } else if (way == 0) {
              assertEquals(bytes, world.recv(Data.of(received), 0, i % 3).bytes());
              Contents.check(bytes, i, received);
            } else if (way == 1) {
              int seed = i;
              world.recv(0, i % 3, message -> check(message, bytes, seed));
            } else if (way == 2) {
              try (Message message = world.recvMessage(ANY_SOURCE, ANY_TAG)) {
                check(message, bytes, i);
              }
            } else {
              Message message;
              while ((message = world.tryRecvMessage(0, ANY_TAG)) == null) {
                Thread.yield();
              }
              check(message, bytes, i);
              message.release();
            }
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void whatCameUnexpectedIsReadToo(LongMessages way) throws Exception {
    way.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          for (int bytes : SIZES) {
            if (world.rank() == 0) {
              Request first = world.isend(Data.of(Contents.of(bytes, 1)), 1, 1);
              Request second = world.isend(Data.of(Contents.of(bytes, 2)), 1, 1);
              send(world, 0, 0, 1, 2);
              Request.waitAll(first, second);
            } else {
              world.recv(Data.of(new byte[0]), 0, 2);
              Message first = world.recvMessage(0, 1);
              boolean there = way == LongMessages.IN_PIECES || bytes <= Ranks.CELL_BYTES;
              Message second = there ? world.tryRecvMessage(0, 1) : soon(world, 0, 1);
              assertNotNull(second);
              check(first, bytes, 1);
              check(second, bytes, 2);
              first.release();
              check(second, bytes, 2);
              second.release();
            }
          }
        });
  }

  /** One that is at its sender yet: the first try fetches it. */
  private static Message soon(Communicator world, int source, int tag) {
    Message message = world.tryRecvMessage(source, tag);
    while (message == null) {
      Thread.onSpinWait();
      message = world.tryRecvMessage(source, tag);
    }
    return message;
  }

  @Test
  void aTryFindsNothingWhereNothingFits() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          assertNull(world.tryRecvMessage(ANY_SOURCE, ANY_TAG));
          send(world, 8, 1, 0, 1);
          assertNull(world.tryRecvMessage(0, 2));
          Request posted = world.irecv(Data.of(new byte[8]), 0, 1);
          assertNull(world.tryRecvMessage(0, 1), "taken from a receive posted before");
          posted.await();
          send(world, 8, 2, 0, 1);
          try (Message message = world.tryRecvMessage(0, 1)) {
            check(message, 8, 2);
          }
        });
  }

  @Test
  void aTryDoesNotTakeAMessageThatIsPartlyThereNorOneBehindIt() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch looked = new CountDownLatch(1);
    int big = 3 * Ranks.ALL_CELLS;
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Request first = world.isend(Data.of(Contents.of(big, 1)), 1, 0);
            Request second = world.isend(Data.of(Contents.of(8, 2)), 1, 0);
            begun.countDown();
            Ranks.await(looked); // meanwhile nothing moves the rest on
            Request.waitAll(first, second);
          } else {
            Ranks.await(begun);
            world.probe(0, 0);
            for (int i = 0; i < 100; i++) {
              assertNull(world.tryRecvMessage(0, 0));
              assertNull(world.tryRecvMessage(ANY_SOURCE, ANY_TAG));
            }
            looked.countDown();
            world.recv(0, 0, message -> check(message, big, 1));
            world.recv(0, 0, message -> check(message, 8, 2));
          }
        });
  }

  @Test
  void aHandlerSendsAndReceives() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          int peer = 1 - world.rank();
          for (int depth = 0; depth < 20; depth++) {
            send(world, 100, depth, peer, depth);
          }
          nest(world, peer, 0);
        });
  }

  private static void nest(Communicator world, int peer, int depth) {
    world.recv(
        peer,
        depth,
        message -> {
          if (depth < 19) {
            nest(world, peer, depth + 1);
          } else {
            byte[] answer = new byte[100];
            world.sendrecv(Data.of(Contents.of(100, 99)), peer, 99, Data.of(answer, 0, 100), peer, 99);
            Contents.check(100, 99, answer);
          }
          check(message, 100, depth);
        });
  }

  @Test
  void whatAHandlerThrowsIsThrownOnAndTheMessageIsReceived() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          RuntimeException thrown = new RuntimeException("thrown by the handler");
          for (int i = 0; i < 3 * Ranks.CELLS; i++) { // more than there are cells: each was given back
            send(world, 5000, i, 0, 0);
            MessageHandler handler =
                message -> {
                  throw thrown;
                };
            assertSame(thrown, assertThrows(RuntimeException.class, () -> world.recv(0, 0, handler)));
            assertNull(world.tryRecvMessage(ANY_SOURCE, ANY_TAG));
          }
        });
  }

  @Test
  void aHandlerMayReleaseItsMessageEarly() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          Message[] kept = new Message[1];
          for (int i = 0; i < 200; i++) { // so often that the same objects are handed out again
            send(world, 8, i, 0, 0);
            send(world, 8, -i, 0, 1);
            world.recv(
                0,
                0,
                message -> {
                  message.release();
                  kept[0] = world.recvMessage(0, 1);
                });
            check(kept[0], 8, -i);
            kept[0].release();
          }
        });
  }

  @Test
  void manyThreadsEachHoldTheirOwn() throws Exception {
    Ranks.run(
        cores,
        ThreadLevel.MULTIPLE,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          Threads.run(3, tag -> exchange(world, tag));
        });
  }

  private static void exchange(Communicator world, int tag) {
    for (int i = 0; i < 300; i++) {
      int bytes = SIZES[i % (SIZES.length - 2)];
      int seed = 10 * i + tag;
      if (world.rank() == 0) {
        send(world, bytes, seed, 1, tag);
      } else {
        world.recv(0, tag, message -> check(message, bytes, seed));
      }
    }
  }
}
