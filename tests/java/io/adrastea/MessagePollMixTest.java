package io.adrastea;

import static io.adrastea.Communicator.ANY_SOURCE;
import static io.adrastea.Communicator.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.engine.group.Numbering;
import io.adrastea.failure.FailingRanks;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Polls with a handler among all that may come between two messages of a batch. */
@EveryCoreList
class MessagePollMixTest {
  private static final int SOURCES = 2;
  private static final int MESSAGES = 400; // of each source in each communicator
  private static final int LONGEST = 3000;

  @Parameter
  String cores;

  private static Communicator second(Job job, Communicator world, int ranks) {
    int[] members = IntStream.range(0, ranks).map(world::jobRank).toArray();
    return Communicator.of(job, Numbering.of(job.world().size(), members), 9, 0);
  }

  private static int bytes(int number) {
    return number % 11 == 10 ? LONGEST - number % 100 : number % 70;
  }

  private static long seed(int context, int source, int number) {
    return (context * 10L + source) * MESSAGES + number;
  }

  /** What has come in one communicator: from each source, the next one of its numbers. */
  private static final class Stream {
    final Communicator communicator;
    final int context;
    final int[] next = new int[SOURCES + 1];
    final byte[] buffer = new byte[LONGEST];

    Stream(Communicator communicator, int context) {
      this.communicator = communicator;
      this.context = context;
    }

    int left() {
      return SOURCES * MESSAGES - next[1] - next[2];
    }

    int left(int source) {
      return source == ANY_SOURCE ? left() : MESSAGES - next[source];
    }

    void came(Message message) {
      int number = next[message.source()]++;
      assertEquals(number, message.tag());
      assertEquals(bytes(number), message.bytes());
      Contents.check(bytes(number), seed(context, message.source(), number), message.segment());
    }

    void came(Status status) {
      int number = next[status.source()]++;
      assertEquals(number, status.tag());
      assertEquals(bytes(number), status.bytes());
      Contents.check(bytes(number), seed(context, status.source(), number), buffer);
    }

    /** One call of any kind that receives, or looks for a message. */
    void step(SplittableRandom random, MessageHandler handler) {
      int source = random.nextInt(ANY_SOURCE, SOURCES + 1);
      if (source == 0 || left(source) == 0) {
        return;
      }
      switch (random.nextInt(7)) {
        case 0 -> came(communicator.recv(Data.of(buffer), source, ANY_TAG));
        case 1 -> came(communicator.irecv(Data.of(buffer), source, ANY_TAG).await());
        case 2 -> {
          try (Message message = communicator.recvMessage(source, ANY_TAG)) {
            came(message);
          }
        }
        case 3 -> {
          Message message = communicator.tryRecvMessage(source, ANY_TAG);
          if (message != null) {
            came(message);
            message.release();
          }
        }
        case 4 -> communicator.iprobe(source, ANY_TAG);
        default -> communicator.poll(handler, random.nextInt(1, 30));
      }
    }
  }

  private static void sendAll(Communicator first, Communicator second, SplittableRandom random) {
    int[] next = new int[2];
    while (next[0] + next[1] < 2 * MESSAGES) {
      int context = next[0] == MESSAGES ? 1 : next[1] == MESSAGES ? 0 : random.nextInt(2);
      int number = next[context]++;
      Communicator communicator = context == 0 ? first : second;
      communicator.send(Data.of(Contents.of(bytes(number), seed(context, first.rank(), number))), 0, number);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SERIALIZED", "MULTIPLE"})
  void allComesOnceAndInOrderWhateverElseIsReceivedInTwoCommunicators(ThreadLevel level) throws Exception {
    Ranks.run(cores, level, SOURCES + 1, job -> {
      Communicator world = Ranks.world(job);
      Communicator other = second(job, world, SOURCES + 1);
      SplittableRandom random = new SplittableRandom(world.rank());
      if (world.rank() > 0) {
        sendAll(world, other, random);
        return;
      }
      Stream[] streams = {new Stream(world, 0), new Stream(other, 1)};
      while (streams[0].left() + streams[1].left() > 0) {
        Stream stream = streams[random.nextInt(2)];
        stream.step(random, message -> {
          stream.came(message);
          byte[] before = message.toBytes();
          if (random.nextInt(4) == 0) { // another one of any kind, while this one is read
            Stream within = streams[random.nextInt(2)];
            within.step(random, within::came);
          }
          assertArrayEquals(before, message.toBytes(), "a message that is read stays as it is");
          if (random.nextInt(5) == 0) {
            message.release();
          }
        });
      }
      for (Stream stream : streams) {
        assertEquals(0, stream.communicator.poll(message -> {}, 1));
      }
    });
  }

  @Test
  void aSourceThatFailsInTheMiddleOfABatchTakesNothingBack() {
    CountDownLatch sent = new CountDownLatch(1);
    FailingRanks.run(cores, 2, (job, cause) -> {
      Communicator world = Ranks.world(job);
      if (world.rank() == 1) {
        for (int tag = 0; tag < 30; tag++) {
          world.send(Data.of(Contents.of(40, tag)), 0, tag);
        }
        sent.countDown();
        throw cause;
      }
      Ranks.await(sent);
      List<Integer> tags = new ArrayList<>();
      MessageHandler handler = message -> {
        tags.add(message.tag());
        if (message.tag() == 4) { // a receive that fails has looked for all that its source left, and put it right
          assertThrows(RuntimeException.class, () -> world.recv(Data.of(new byte[8]), 1, 99));
        }
        Contents.check(40, message.tag(), message.segment());
      };
      while (tags.size() < 30) {
        world.poll(handler, 100);
      }
      assertEquals(IntStream.range(0, 30).boxed().toList(), tags);
      assertEquals(0, world.poll(handler, 100));
    });
  }

  @Test
  void aHandlerThatClosesItsCommunicatorEndsThePoll() throws Exception {
    Ranks.run(cores, 1, job -> {
      Communicator world = Ranks.world(job);
      Communicator other = second(job, world, 1);
      for (int tag = 0; tag < 6; tag++) {
        (tag < 3 ? other : world).send(Data.of(Contents.of(8, tag)), 0, tag);
      }
      List<Integer> tags = new ArrayList<>();
      assertEquals(2, other.poll(message -> {
        tags.add(message.tag());
        if (message.tag() == 1) {
          other.close();
        }
      }, 100));
      world.poll(message -> tags.add(message.tag()), 100);
      assertEquals(List.of(0, 1, 3, 4, 5), tags);
      assertThrows(IllegalStateException.class, () -> other.poll(message -> {}, 1));
    });
  }
}
