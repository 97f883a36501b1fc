package io.adrastea;

import static io.adrastea.Communicator.ANY_SOURCE;
import static io.adrastea.Communicator.ANY_TAG;
import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.engine.group.Numbering;
import io.adrastea.failure.FailingRanks;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages that are handed to a handler as many at a time as are there. */
@EveryCoreList
class MessagePollTest {
  private static final int[] SIZES =
      {0, 8, 8, 8, 40, 48, 49, 8, 300, 8, 4000, Ranks.CELL_BYTES, Ranks.CELL_BYTES + 1, 8, 100_000};
  private static final int MANY = 2000;
  private static final int LAST = 99; // a tag: all was sent before

  @Parameter
  String cores;

  private static void send(Communicator world, int bytes, long seed, int destination, int tag) {
    world.send(Data.of(Contents.of(bytes, seed)), destination, tag);
  }

  private static void check(Message message, int bytes, long seed) {
    assertEquals(bytes, message.bytes());
    Contents.check(bytes, seed, message.segment());
  }

  /** Polls until so many were handed over in all. */
  private static void pollAll(Communicator world, int messages, int limit, MessageHandler handler) {
    for (int left = messages; left > 0;) {
      int most = Math.min(left, limit);
      int taken = world.poll(handler, most);
      assertTrue(taken >= 0 && taken <= most, taken + " of " + most);
      left -= taken;
    }
  }

  /** The tags of all that is there, in the order in which they are handed over. */
  private static List<Integer> tags(Communicator world, int limit) {
    List<Integer> tags = new ArrayList<>();
    int count = world.poll(message -> tags.add(message.tag()), limit);
    assertEquals(count, tags.size());
    return tags;
  }

  private static int size(int number) {
    return SIZES[number % SIZES.length];
  }

  @Test
  void allMessagesOfAllSourcesAreHandedOverInTheOrderOfTheirSource() throws Exception {
    Ranks.run(cores, 3, job -> {
      Communicator world = Ranks.world(job);
      if (world.rank() > 0) {
        for (int i = 0; i < 300; i++) {
          send(world, size(i), 1000L * world.rank() + i, 0, i);
        }
        return;
      }
      SplittableRandom random = new SplittableRandom(5);
      int[] next = new int[3];
      for (int left = 600; left > 0;) {
        int limit = Math.min(left, 1 + random.nextInt(40));
        int taken = world.poll(message -> {
          int number = next[message.source()]++;
          assertEquals(number, message.tag());
          check(message, size(number), 1000L * message.source() + number);
        }, limit);
        assertTrue(taken <= limit);
        left -= taken;
      }
      assertEquals(0, world.poll(message -> {
        throw new AssertionError("one too many: " + message);
      }, 1));
    });
  }

  /** Mostly short. */
  private static int mixed(int number) {
    SplittableRandom random = new SplittableRandom(number);
    return random.nextInt(10) == 0 ? random.nextInt(20_000) : number % 100;
  }

  @ParameterizedTest
  @EnumSource
  void messagesKeepTheirOrderAmongOtherReceives(LongMessages way) throws Exception {
    way.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      SplittableRandom random = new SplittableRandom(3);
      byte[] received = new byte[20_000];
      for (int i = 0; i < MANY;) {
        int bytes = mixed(i);
        if (world.rank() == 0) {
          send(world, bytes, i++, 1, 0);
          continue;
        }
        int[] number = {i};
        switch (random.nextInt(4)) {
          case 0 -> {
            assertEquals(bytes, world.recv(Data.of(received), random.nextBoolean() ? 0 : ANY_SOURCE, 0).bytes());
            Contents.check(bytes, number[0]++, received);
          }
          case 1 -> {
            int first = number[0]++;
            Request request = world.irecv(Data.of(received), 0, ANY_TAG);
            if (number[0] < MANY) {
              world.poll(message -> check(message, mixed(number[0]), number[0]++), 1); // the one behind it, if any
            }
            assertEquals(mixed(first), request.await().bytes());
            Contents.check(mixed(first), first, received);
          }
          case 2 -> {
            try (Message message = world.recvMessage(0, 0)) {
              check(message, bytes, number[0]++);
            }
          }
          default -> world.poll(
              message -> check(message, mixed(number[0]), number[0]++), Math.min(1 + random.nextInt(40), MANY - i));
        }
        i = number[0];
      }
    });
  }

  @Test
  void noMoreThanTheLimitAreHandedOver() throws Exception {
    Ranks.run(cores, 1, job -> {
      Communicator world = Ranks.world(job);
      for (int tag = 0; tag < 30; tag++) {
        send(world, 8, tag, 0, tag);
      }
      assertEquals(List.of(0), tags(world, 1));
      assertEquals(List.of(1, 2, 3), tags(world, 3));
      assertEquals(IntStream.range(4, 24).boxed().toList(), tags(world, 20));
      assertEquals(IntStream.range(24, 30).boxed().toList(), tags(world, Integer.MAX_VALUE));
      assertEquals(List.of(), tags(world, Integer.MAX_VALUE));
    });
  }

  @Test
  void whatCameUnexpectedIsHandedOverFirst() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      if (world.rank() == 0) {
        for (int tag = 0; tag < 20; tag++) {
          send(world, size(tag) % 5000, tag, 1, tag);
        }
        send(world, 0, 0, 1, LAST);
        for (int tag = 20; tag < 40; tag++) {
          send(world, 8, tag, 1, tag);
        }
        send(world, 0, 0, 1, LAST);
      } else {
        world.recv(Data.of(new byte[0]), 0, LAST);
        assertEquals(List.of(0, 1), tags(world, 2));
        List<Integer> tags = new ArrayList<>();
        pollAll(world, 39, 39, message -> tags.add(message.tag()));
        tags.remove(Integer.valueOf(LAST));
        assertEquals(IntStream.range(2, 40).boxed().toList(), tags);
      }
    });
  }

  @Test
  void whatAPostedReceiveMatchesGoesToIt() throws Exception {
    Ranks.run(cores, 1, job -> {
      Communicator world = Ranks.world(job);
      byte[] first = new byte[8];
      byte[] second = new byte[8];
      Request one = world.irecv(Data.of(first), 0, 3);
      Request two = world.irecv(Data.of(second), ANY_SOURCE, 7);
      for (int tag = 0; tag < 10; tag++) {
        send(world, 8, tag, 0, tag);
      }
      assertEquals(List.of(0, 1, 2, 4, 5, 6, 8, 9), tags(world, 100));
      assertTrue(one.test() && two.test());
      Contents.check(8, 3, first);
      Contents.check(8, 7, second);
    });
  }

  @Test
  void aReceiveThatAHandlerStartsGetsWhatLiesBehind() throws Exception {
    Ranks.run(cores, 1, job -> {
      Communicator world = Ranks.world(job);
      byte[] received = new byte[8];
      Request request = new Request();
      for (int tag = 0; tag < 10; tag++) {
        send(world, 8, tag, 0, tag);
      }
      List<Integer> tags = new ArrayList<>();
      world.poll(message -> {
        tags.add(message.tag());
        if (message.tag() == 2) {
          world.irecv(Data.of(received), 0, 5, request);
        }
      }, 100);
      assertEquals(List.of(0, 1, 2, 3, 4, 6, 7, 8, 9), tags);
      request.await();
      Contents.check(8, 5, received);
    });
  }

  @Test
  void messagesOfOtherCommunicatorsStay() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      int[] members = IntStream.range(0, 2).map(world::jobRank).toArray();
      Communicator other = Communicator.of(job, Numbering.of(job.world().size(), members), 9, 0);
      int peer = 1 - world.rank();
      for (int tag = 0; tag < 40; tag++) {
        send(tag % 3 == 0 ? other : world, 8, tag, peer, tag);
      }
      List<Integer> tags = new ArrayList<>();
      pollAll(world, 26, 40, message -> tags.add(message.tag()));
      assertEquals(IntStream.range(0, 40).filter(tag -> tag % 3 != 0).boxed().toList(), tags);
      tags.clear();
      pollAll(other, 14, 40, message -> {
        assertEquals(peer, message.source());
        tags.add(message.tag());
      });
      assertEquals(IntStream.range(0, 40).filter(tag -> tag % 3 == 0).boxed().toList(), tags);
    });
  }

  @ParameterizedTest
  @EnumSource
  void aMessageThatIsNotAllThereHoldsUpItsSourceAndNoOther(LongMessages way) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch looked = new CountDownLatch(1);
    int big = 3 * Ranks.ALL_CELLS;
    way.run(cores, 3, job -> {
      Communicator world = Ranks.world(job);
      if (world.rank() == 1) {
        Request first = world.isend(Data.of(Contents.of(big, 1)), 0, 1);
        Request second = world.isend(Data.of(Contents.of(8, 2)), 0, 2);
        begun.countDown();
        Ranks.await(looked); // meanwhile nothing moves the rest on
        Request.waitAll(first, second);
      } else if (world.rank() == 2) {
        Ranks.await(begun);
        for (int i = 0; i < 50; i++) {
          send(world, 8, i, 0, 3);
        }
      } else {
        Ranks.await(begun);
        world.probe(1, 1);
        pollAll(world, 50, 7, message -> assertEquals(2, message.source()));
        looked.countDown();
        int[] tag = {1};
        pollAll(world, 2, 2, message -> {
          assertEquals(tag[0], message.tag());
          check(message, tag[0] == 1 ? big : 8, tag[0]);
          tag[0]++;
        });
      }
    });
  }

  @Test
  void whatAHandlerThrowsIsThrownOnAndTheMessagesBehindStay() throws Exception {
    Ranks.run(cores, 1, job -> {
      Communicator world = Ranks.world(job);
      RuntimeException thrown = new RuntimeException("thrown by the handler");
      for (int round = 0; round < 100; round++) { // more than there is room for: each was given back
        for (int tag = 0; tag < 6; tag++) {
          send(world, round % 2 == 0 ? 8 : 5000, tag, 0, tag);
        }
        int[] calls = new int[1];
        MessageHandler handler = message -> {
          calls[0]++;
          if (message.tag() == 2) {
            throw thrown;
          }
        };
        assertSame(thrown, assertThrows(RuntimeException.class, () -> world.poll(handler, 100)));
        assertEquals(3, calls[0]);
        byte[] next = new byte[5000];
        assertEquals(3, world.recv(Data.of(next), 0, ANY_TAG).tag());
        assertEquals(List.of(4, 5), tags(world, 100));
      }
    });
  }

  @Test
  void aHandlerReceivesSendsPollsAndReleases() throws Exception {
    Ranks.run(cores, 1, job -> {
      Communicator world = Ranks.world(job);
      for (int round = 0; round < 50; round++) {
        for (int tag = 0; tag < 20; tag++) {
          send(world, 24, tag, 0, tag);
        }
        List<Integer> tags = new ArrayList<>();
        world.poll(message -> {
          int tag = message.tag();
          tags.add(tag);
          switch (tag) {
            case 1 -> {
              byte[] next = new byte[24];
              assertEquals(2, world.recv(Data.of(next), 0, ANY_TAG).tag(), "the one behind");
              Contents.check(24, 2, next);
            }
            case 4 -> tags.addAll(tags(world, 2));
            case 8 -> {
              message.release();
              assertThrows(IllegalStateException.class, message::bytes);
            }
            case 9 -> send(world, 24, 20, 0, 20);
            case 10 -> {
              byte[] copy = new byte[24];
              message.recv(Data.of(copy));
              Contents.check(24, 10, copy);
            }
            case 11 -> {
              Message held = world.recvMessage(0, 12);
              check(message, 24, 11);
              check(held, 24, 12);
              held.release();
            }
            case 14 -> assertEquals(17, world.probe(0, 17).tag()); // those before it are unexpected then
            default -> {
            }
          }
          if (tag != 8 && tag != 10) {
            check(message, 24, tag);
          }
        }, 100);
        assertEquals(
            IntStream.rangeClosed(0, 20).filter(tag -> tag != 2 && tag != 12).boxed().toList(), tags);
        assertNull(world.iprobe(ANY_SOURCE, ANY_TAG));
      }
    });
  }

  @Test
  void aMessageIsOverWhenItsHandlerReturns() throws Exception {
    Ranks.run(cores, 1, job -> {
      Communicator world = Ranks.world(job);
      for (int bytes : new int[] {8, 5000}) {
        Message[] kept = new Message[1];
        send(world, bytes, 1, 0, 0);
        assertEquals(1, world.poll(message -> kept[0] = message, 10));
        assertThrows(IllegalStateException.class, () -> kept[0].getByte(0));
        assertThrows(IllegalStateException.class, kept[0]::release);
      }
    });
  }

  @Test
  void aHandlerThatLeavesTheJobEndsThePoll() throws Exception {
    Ranks.assumeShared(cores);
    Ranks.run(cores, 1, job -> {
      Communicator world = Ranks.world(job);
      for (int tag = 0; tag < 5; tag++) {
        send(world, 8, tag, 0, tag);
      }
      assertEquals(2, world.poll(message -> {
        if (message.tag() == 1) {
          message.release();
          job.close();
        }
      }, 100));
      assertThrows(IllegalStateException.class, () -> world.poll(message -> {}, 100));
    });
  }

  @Test
  void whatARankHasSentBeforeItFailedIsHandedOver() {
    CountDownLatch sent = new CountDownLatch(1);
    FailingRanks.run(cores, 2, (job, cause) -> {
      Communicator world = Ranks.world(job);
      if (world.rank() == 1) {
        for (int tag = 0; tag < 50; tag++) {
          send(world, 8, tag, 0, tag);
        }
        sent.countDown();
        throw cause;
      }
      Ranks.await(sent);
      while (world.failedRanks().isEmpty()) {
        Thread.sleep(1);
      }
      List<Integer> tags = new ArrayList<>();
      pollAll(world, 50, 8, message -> tags.add(message.tag()));
      assertEquals(IntStream.range(0, 50).boxed().toList(), tags);
      assertEquals(List.of(), tags(world, 8), "a source that has failed is no error");
    });
  }

  @Test
  void severalThreadsPollAndEachMessageIsHandedOverOnce() throws Exception {
    Ranks.run(cores, ThreadLevel.MULTIPLE, 2, job -> {
      Communicator world = Ranks.world(job);
      if (world.rank() == 1) {
        for (int i = 0; i < MANY; i++) {
          send(world, 8 + i % 40, i, 0, i);
        }
        return;
      }
      boolean[] seen = new boolean[MANY];
      AtomicInteger left = new AtomicInteger(MANY);
      List<FutureTask<Void>> tasks = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        FutureTask<Void> task = new FutureTask<>(() -> {
          while (left.get() > 0) {
            world.poll(message -> {
              int number = message.tag();
              check(message, 8 + number % 40, number);
              synchronized (seen) {
                assertFalse(seen[number], "handed over twice");
                seen[number] = true;
              }
              left.decrementAndGet();
            }, 10);
          }
          return null;
        });
        tasks.add(task);
        new Thread(task, "poller-" + i).start();
      }
      for (FutureTask<Void> task : tasks) {
        task.get();
      }
      assertEquals(0, left.get());
    });
  }

  @Test
  void refusesWhatItCannotDo() throws Exception {
    Communicator[] closed = new Communicator[1];
    Ranks.run(cores, 1, job -> {
      Communicator world = Ranks.world(job);
      closed[0] = world;
      send(world, 8, 1, 0, 1);
      refuses(NullPointerException.class, "the handler is null", () -> world.poll(null, 1));
      for (int limit : new int[] {0, -1, Integer.MIN_VALUE}) {
        refuses(
            IllegalArgumentException.class,
            "a limit of " + limit + " messages; allowed are 1 to 2147483647",
            () -> world.poll(message -> {}, limit));
      }
      assertEquals(List.of(1), tags(world, 1), "nothing was received meanwhile");
    });
    assertThrows(IllegalStateException.class, () -> closed[0].poll(message -> {}, 1));
  }
}
