package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.error.TruncationException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Messages gathered from, and scattered to, several parts of memory. */
@EveryCoreList
class IoVectorTest {
  private static final int[] SIZES = {
    0, 1, 8, 47, 48, 49, 300, 4000, Ranks.CELL_BYTES, Ranks.CELL_BYTES + 1, 100_000, Ranks.ALL_CELLS + 7
  };

  @Parameter
  String cores;

  private static MemorySegment memory(int kind, long bytes) {
    return switch (kind % 3) {
      case 0 -> Arena.ofAuto().allocate(Math.max(1, bytes));
      case 1 -> MemorySegment.ofArray(new byte[(int) bytes]);
      default -> MemorySegment.ofArray(new long[(int) bytes / 8 + 1]);
    };
  }

  /** Parts of random lengths, some of them empty, in memory of all kinds, with margins that nobody may touch. */
  private static IoVector divided(int bytes, int mostInPart, SplittableRandom random) {
    IoVector parts = new IoVector();
    for (int left = bytes; left > 0 || parts.size() < 3;) {
      int length = Math.min(left, random.nextInt(mostInPart + 1));
      int margin = 1 + random.nextInt(20);
      parts.add(memory(parts.size(), length + 2L * margin), margin, length);
      left -= length;
    }
    return parts;
  }

  private static IoVector filled(IoVector parts, long seed) {
    byte[] contents = Contents.of((int) parts.bytes(), seed);
    int done = 0;
    for (int i = 0; i < parts.size(); i++) {
      MemorySegment part = part(parts, i);
      MemorySegment.copy(MemorySegment.ofArray(contents), done, part, 0, part.byteSize());
      done += (int) part.byteSize();
    }
    return parts;
  }

  private static MemorySegment part(IoVector parts, int i) {
    return parts.entries.memory(i).asSlice(parts.entries.offset(i), parts.entries.length(i));
  }

  /** Checks the beginning of the parts, and that nothing was written behind it, or beside any part. */
  private static void check(IoVector parts, int bytes, long seed) {
    byte[] contents = Contents.of(bytes, seed);
    int done = 0;
    for (int i = 0; i < parts.size(); i++) {
      MemorySegment part = part(parts, i);
      int here = (int) Math.min(part.byteSize(), bytes - done);
      MemorySegment wanted = MemorySegment.ofArray(contents).asSlice(done, here);
      assertEquals(-1, wanted.mismatch(part.asSlice(0, here)), "first wrong byte of part " + i);
      Contents.checkZero(part.asSlice(here));
      MemorySegment whole = parts.entries.memory(i);
      Contents.checkZero(whole.asSlice(0, parts.entries.offset(i)));
      Contents.checkZero(whole.asSlice(parts.entries.offset(i) + part.byteSize()));
      done += here;
    }
    assertEquals(bytes, done);
  }

  @Test
  void partsDividedOneWayArriveInPartsDividedAnother() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          SplittableRandom random = new SplittableRandom(world.rank());
          for (int bytes : SIZES) {
            for (int most : new int[] {1 + bytes / 3, 1 + bytes / 50, 100_000}) {
              IoVector parts = divided(bytes, most, random);
              if (world.rank() == 0) {
                world.send(Data.of(filled(parts, bytes)), 1, 3);
              } else {
                Status status = world.recv(Data.of(parts), 0, 3);
                assertEquals(bytes, status.bytes());
                assertEquals(3, status.tag());
                check(parts, bytes, bytes);
              }
            }
          }
        });
  }

  @Test
  void thousandsOfPartsAreOneMessage() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          int bytes = 50_000;
          IoVector parts = divided(bytes, 20, new SplittableRandom(world.rank()));
          if (world.rank() == 0) {
            world.send(Data.of(filled(parts, 1)), 1, 0);
          } else {
            assertEquals(bytes, world.recv(Data.of(parts), 0, 0).bytes());
            check(parts, bytes, 1);
          }
        });
  }

  @Test
  void partsAreBytesToAPlainReceiveAndFromAPlainSend() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          for (int bytes : SIZES) {
            IoVector parts = divided(bytes, 1 + bytes / 7, new SplittableRandom(bytes));
            if (world.rank() == 0) {
              world.send(Data.of(filled(parts, 1)), 1, 0);
              world.send(Data.of(Contents.of(bytes, 2)), 1, 0);
            } else {
              byte[] received = new byte[bytes];
              world.recv(Data.of(received, 0, bytes), 0, 0);
              Contents.check(bytes, 1, received);
              world.recv(Data.of(parts), 0, 0);
              check(parts, bytes, 2);
            }
          }
        });
  }

  @Test
  void messagesThatCameBeforeTheyWereAskedForAreScatteredToo() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          for (int bytes : SIZES) {
            IoVector parts = divided(bytes, 1 + bytes / 5, new SplittableRandom(bytes));
            if (world.rank() == 0) {
              Request first = world.isend(Data.of(filled(parts, 4)), 1, 4);
              world.send(Data.of(new byte[1]), 1, 5);
              first.await();
            } else {
              world.recv(Data.of(new byte[1]), 0, 5); // takes the other one in
              world.recv(Data.of(parts), 0, 4);
              check(parts, bytes, 4);
            }
          }
        });
  }

  @Test
  void severalSendsShareTheirParts() throws Exception {
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          int bytes = 3 * Ranks.ALL_CELLS / 2;
          if (world.rank() == 0) {
            IoVector parts = filled(divided(bytes, 5000, new SplittableRandom(1)), 9);
            Request.waitAll(world.isend(Data.of(parts), 1, 0), world.isend(Data.of(parts), 2, 0));
          } else {
            IoVector parts = divided(bytes, 7000, new SplittableRandom(2));
            world.irecv(Data.of(parts), 0, 0).await();
            check(parts, bytes, 9);
          }
        });
  }

  @Test
  void longerMessagesAreTruncatedAndTheNextIsWhole() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          for (int bytes : new int[] {10, 100, 3 * Ranks.CELL_BYTES}) {
            if (world.rank() == 0) {
              world.send(Data.of(Contents.of(bytes, 1)), 1, 0);
              world.send(Data.of(Contents.of(bytes, 2)), 1, 0);
            } else {
              IoVector parts = divided(bytes - 3, 1 + bytes / 4, new SplittableRandom(1));
              TruncationException e =
                  assertThrows(TruncationException.class, () -> world.recv(Data.of(parts), 0, 0));
              assertEquals(bytes, e.messageBytes());
              assertEquals(bytes - 3, e.bufferBytes());
              byte[] first = Contents.of(bytes, 1);
              byte[] beginning = new byte[bytes - 3];
              System.arraycopy(first, 0, beginning, 0, beginning.length);
              int done = 0;
              for (int i = 0; i < parts.size(); i++) {
                MemorySegment wanted = MemorySegment.ofArray(beginning).asSlice(done, part(parts, i).byteSize());
                assertEquals(-1, wanted.mismatch(part(parts, i)));
                done += (int) wanted.byteSize();
              }
              IoVector whole = divided(bytes, 50, new SplittableRandom(2));
              world.recv(Data.of(whole), 0, 0);
              check(whole, bytes, 2);
            }
          }
        });
  }

  @Test
  void shorterMessagesFillTheFirstParts() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            world.send(Data.of(Contents.of(30, 1)), 1, 0);
          } else {
            IoVector parts = divided(100, 20, new SplittableRandom(1));
            assertEquals(30, world.recv(Data.of(parts), 0, 0).bytes());
            check(parts, 30, 1);
          }
        });
  }

  @Test
  void ofOverlappingPartsTheLaterStays() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            world.send(Data.of(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}, 0, 8), 1, 0);
          } else {
            byte[] memory = new byte[6];
            world.recv(Data.of(new IoVector().add(Data.of(memory, 0, 5)).add(Data.of(memory, 3, 3))), 0, 0);
            assertEquals(-1, MemorySegment.ofArray(new byte[] {1, 2, 3, 6, 7, 8})
                .mismatch(MemorySegment.ofArray(memory)));
          }
        });
  }

  @Test
  void arraysOfAllTypesAreParts() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          IoVector out =
              new IoVector().add(Data.of(new double[] {0, 1.5, 2.5}, 1, 2)).add(Data.of(new short[] {7, 8}, 0, 2));
          assertEquals(20, out.bytes());
          double[] doubles = new double[2];
          char[] chars = new char[3];
          Request receive =
              world.irecv(Data.of(new IoVector().add(Data.of(doubles, 0, 2)).add(Data.of(chars, 1, 2))), 0, 0);
          world.send(Data.of(out), 0, 0);
          assertEquals(20, receive.await().bytes());
          assertEquals(1.5, doubles[0]);
          assertEquals(2.5, doubles[1]);
          assertEquals("\0\7\10", new String(chars));
        });
  }

  @Test
  void refusesToBeChangedWhileAnOperationIsOnItsWay() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          byte[] memory = new byte[8];
          IoVector parts = new IoVector().add(Data.of(memory, 0, 8));
          Request receive = world.irecv(Data.of(parts), 0, 0);
          Class<IllegalStateException> type = IllegalStateException.class;
          Refusals.refuses(type, "in use by 1 operation", () -> parts.add(Data.of(memory, 0, 1)));
          Refusals.refuses(type, "in use by 1 operation", parts::clear);
          Refusals.refuses(
              type, "in use by 1 operation", () -> parts.set(0, MemorySegment.ofArray(memory), 0, 1));
          assertEquals(8, parts.bytes());
          world.send(Data.of(Contents.of(8, 1)), 0, 0);
          receive.await();
          Contents.check(8, 1, memory);
          assertEquals(5, parts.set(0, MemorySegment.ofArray(memory), 2, 5).bytes());
          receive = world.irecv(Data.of(parts), 0, 0);
          receive.cancel();
          receive.await();
          assertEquals(0, parts.clear().bytes());
          assertEquals(0, parts.size());
        });
  }

  @Test
  void anEmptyListIsAnEmptyMessage() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          Request receive = world.irecv(Data.of(new IoVector(0)), 0, 0);
          assertFalse(receive.test());
          world.send(Data.of(new IoVector()), 0, 0);
          assertEquals(0, receive.await().bytes());
        });
  }
}
