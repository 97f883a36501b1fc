package io.adrastea.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Claim;
import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.IoVector;
import io.adrastea.Job;
import io.adrastea.Ranks;
import io.adrastea.Refusals;
import io.adrastea.Request;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** What is done with a claim that must not be. */
@EveryCoreList
class ClaimMisuseTest {
  private static final int TCP_PIECE_BYTES = 32 << 10;

  @Parameter
  String cores;

  private static Map<String, Runnable> uses(Claim claim) {
    Map<String, Runnable> uses = new LinkedHashMap<>();
    uses.put("destination", claim::destination);
    uses.put("bytes", claim::bytes);
    uses.put("putByte", () -> claim.putByte(0, (byte) 0));
    uses.put("putShort", () -> claim.putShort(0, (short) 0));
    uses.put("putInt", () -> claim.putInt(0, 0));
    uses.put("putLong", () -> claim.putLong(0, 0));
    uses.put("putFloat", () -> claim.putFloat(0, 0));
    uses.put("putDouble", () -> claim.putDouble(0, 0));
    uses.put("copyFrom", () -> claim.copyFrom(0, MemorySegment.ofArray(new byte[8]), 0, 8));
    uses.put("copyFrom data", () -> claim.copyFrom(0, Data.of(new byte[8])));
    uses.put("segment", claim::segment);
    uses.put("abort", claim::abort);
    uses.put("commit", claim::commit);
    return uses;
  }

  /**
   * Runs checks on rank 0; what comes to rank 1 is one message of 8 bytes with tag 7 and these contents, and the end.
   */
  private void check(Job.Body checks) throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            checks.run(job);
            world.send(Data.of(new byte[0]), 1, 99);
          } else {
            byte[] received = new byte[8];
            assertEquals(7, world.recv(Data.of(received, 0, 8), 0, Communicator.ANY_TAG).tag());
            Contents.check(8, 1, received);
            assertEquals(99, world.recv(Data.of(received, 0, 8), 0, Communicator.ANY_TAG).tag());
          }
        });
  }

  private static void commit(Claim claim) {
    claim.copyFrom(0, Data.of(Contents.of(8, 1)));
    claim.commit();
  }

  @Test
  void everyUseAfterCommitOrAbortIsRefused() throws Exception {
    check(
        job -> {
          Claim aborted = Ranks.world(job).claim(1, 7, 8);
          aborted.abort();
          uses(aborted)
              .forEach((name, use) -> Refusals.refuses(IllegalStateException.class, "claim is over", use));
          Claim claim = Ranks.world(job).claim(1, 7, 8);
          commit(claim);
          uses(claim)
              .forEach((name, use) -> Refusals.refuses(IllegalStateException.class, "claim is over", use));
          assertEquals("over", claim.toString());
        });
  }

  @Test
  void anExceptionBeforeTheCommitGivesTheRoomBack() throws Exception {
    IllegalArgumentException bug = new IllegalArgumentException("on purpose");
    check(
        job -> {
          Throwable thrown = assertThrows(IllegalArgumentException.class, () -> fill(Ranks.world(job), bug));
          assertSame(bug, thrown);
          fill(Ranks.world(job), null); // the destination is free: this is the message that comes
        });
  }

  private static void fill(Communicator world, RuntimeException bug) {
    try (Claim claim = world.claim(1, 7, 8)) {
      if (bug != null) {
        throw bug;
      }
      commit(claim);
    }
  }

  @Test
  void isClosedOnceOrOften() throws Exception {
    check(
        job -> {
          Claim claim = Ranks.world(job).claim(1, 7, 8);
          claim.close();
          claim.close();
          Claim committed = Ranks.world(job).claim(1, 7, 8);
          commit(committed);
          committed.close();
        });
  }

  @Test
  void everyUseByAnotherThreadIsRefusedAndTheClaimStays() throws Exception {
    check(
        job -> {
          Claim claim = Ranks.world(job).claim(1, 7, 8);
          for (Runnable use : uses(claim).values()) {
            Refusals.refusesAnotherThread("made by thread 'adrastea-rank-%d'".formatted(job.world().rank()), use);
          }
          commit(claim);
        });
  }

  @Test
  void offsetsOutsideTheRoomAreRefused() throws Exception {
    Class<IndexOutOfBoundsException> type = IndexOutOfBoundsException.class;
    check(
        job -> {
          Claim claim = Ranks.world(job).claim(1, 7, 8);
          for (long at : new long[] {-1, 8, Long.MIN_VALUE, Long.MAX_VALUE}) {
            Refusals.refuses(type, "do not lie in a claim of 8 bytes", () -> claim.putByte(at, (byte) 0));
          }
          Refusals.refuses(type, "2 bytes at offset 7", () -> claim.putShort(7, (short) 0));
          Refusals.refuses(type, "4 bytes at offset 5", () -> claim.putInt(5, 0));
          Refusals.refuses(type, "8 bytes at offset 1", () -> claim.putLong(1, 0));
          Refusals.refuses(type, "4 bytes at offset -4", () -> claim.putFloat(-4, 0));
          Refusals.refuses(type, "8 bytes at offset 8", () -> claim.putDouble(8, 0));
          MemorySegment source = MemorySegment.ofArray(new byte[16]);
          Refusals.refuses(type, "9 bytes at offset 0", () -> claim.copyFrom(0, source, 0, 9));
          Refusals.refuses(type, "-1 bytes", () -> claim.copyFrom(0, source, 0, -1));
          Refusals.refuses(type, "16 bytes at offset 0", () -> claim.copyFrom(0, Data.of(new long[2])));
          assertThrows(type, () -> claim.copyFrom(0, source, 9, 8));
          assertThrows(NullPointerException.class, () -> claim.copyFrom(0, null, 0, 1));
          Refusals.refuses(NullPointerException.class, "data is null", () -> claim.copyFrom(0, (Data) null));
          assertEquals(8, claim.segment().byteSize());
          commit(claim);
        });
  }

  @Test
  void whatIsLargerThanACellIsRefused() throws Exception {
    check(
        job -> {
          Communicator world = Ranks.world(job);
          Class<IllegalArgumentException> type = IllegalArgumentException.class;
          int most = cores.endsWith(".tcp") ? TCP_PIECE_BYTES : Ranks.CELL_BYTES;
          for (int bytes : new int[] {most + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
            String said = "a claim of " + bytes + " bytes; allowed are 0 to " + most;
            Refusals.refuses(type, said, () -> world.claim(1, 7, bytes));
            Refusals.refuses(type, said, () -> world.tryClaim(1, 7, bytes));
          }
          commit(world.claim(1, 7, 8));
        });
  }

  @Test
  void ranksAndTagsOutOfRangeAreRefused() throws Exception {
    check(
        job -> {
          Communicator world = Ranks.world(job);
          Class<IllegalArgumentException> type = IllegalArgumentException.class;
          Refusals.refuses(type, "destination 2", () -> world.claim(2, 7, 8));
          Refusals.refuses(type, "destination -1", () -> world.tryClaim(-1, 7, 8));
          Refusals.refuses(type, "tag -1", () -> world.claim(1, -1, 8));
          commit(world.claim(1, 7, 8));
        });
  }

  @Test
  void nothingElseIsSentThereWhileAClaimIsOpen() throws Exception {
    check(
        job -> {
          Communicator world = Ranks.world(job);
          Request prepared = world.sendInit(Data.of(new byte[8]), 1, 7);
          Claim claim = world.claim(1, 7, 8);
          String said =
              "claim to rank " + Ranks.name(world, 1)
                  + " with tag 7, 8 bytes, not committed is open; commit or abort it";
          Class<IllegalStateException> type = IllegalStateException.class;
          MemorySegment memory = MemorySegment.ofArray(new byte[100_000]);
          Calls.sends(world)
              .forEach(
                  (name, call) -> {
                    if (!name.endsWith("Init") && (!cores.contains("+") || !name.contains("ssend"))) { // Init prepares
                                                                                                       // only
                      Refusals.refuses(type, said, () -> call.with(memory, 1, 7));
                      Refusals.refuses(type, said, () -> call.with(memory.asSlice(0, 8), 1, 7));
                    }
                  });
          IoVector parts = new IoVector().add(memory);
          Refusals.refuses(type, said, () -> world.send(Data.of(parts), 1, 7));
          Refusals.refuses(type, said, () -> world.isend(Data.of(parts), 1, 7));
          Refusals.refuses(type, said, () -> world.claim(1, 7, 8));
          Refusals.refuses(type, said, () -> world.tryClaim(1, 7, 8));
          Refusals.refuses(type, said, prepared::start);
          world.send(Data.of(new byte[8]), 0, 0); // to others it goes
          assertEquals(8, world.recv(Data.of(new byte[8]), 0, 0).bytes());
          assertTrue(parts.clear().size() == 0, "in use by a send that was refused");
          commit(claim);
        });
  }

  @Test
  void aRankThatFailsHasNoClaimAnyMoreAndClosesItAllTheSame() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Claim claim = Ranks.world(job).claim(0, 7, 8);
          try (claim) {
            job.fail("on purpose");
          }
          uses(claim).forEach((name, use) -> Refusals.refuses(IllegalStateException.class, "the job was left", use));
        });
  }

  @Test
  void leavingTheJobNamesClaimsThatAreOpenAndSendsNothing() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            world.send(Data.of(Contents.of(8, 1)), 1, 7);
            Claim small = world.claim(1, 8, 40);
            Claim self = world.claim(0, 9, Ranks.CELL_BYTES);
            String said = assertThrows(IllegalStateException.class, job::close).getMessage();
            assertTrue(Ranks.byRank(said).contains("claim to rank 1 with tag 8, 40 bytes, not committed"), said);
            assertTrue(Ranks.byRank(said).contains("claim to rank 0 with tag 9, 8192 bytes, not committed"), said);
            Refusals.refuses(IllegalStateException.class, "the job was left", small::commit);
            Refusals.refuses(IllegalStateException.class, "the job was left", () -> self.putInt(0, 1));
          } else {
            assertEquals(7, world.recv(Data.of(new byte[8]), 0, Communicator.ANY_TAG).tag());
            assertThrows(
                io.adrastea.error.RankFailedException.class,
                () -> world.recv(Data.of(new byte[40]), 0, Communicator.ANY_TAG));
          }
        });
  }
}
