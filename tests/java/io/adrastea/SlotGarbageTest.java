package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import io.adrastea.core.SlotMember;
import io.adrastea.engine.Engine;
import io.adrastea.engine.collective.Collectives;
import io.adrastea.engine.collective.Form;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.group.Numbering;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.SlotDescriptor;
import io.adrastea.layout.SlotMemberDescriptor;
import io.adrastea.payload.Contiguous;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** What a broken rank 0 writes into a slot: the other one is told that shared memory is corrupt, and nothing else. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ffm", "java"})
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlotGarbageTest {
  private static final int ROUNDS = 300;
  private static final int LONG = 50_000; // bytes: through stages

  @Parameter
  String cores;

  private static MemorySegment worldSlot(Job job) {
    return job.world().engine().slots(world()).worldSlot();
  }

  private static Members world() {
    return new Members(Numbering.world(2), "world");
  }

  /** Small and large ones, and such as end in many zeros. */
  private static long drawn(SplittableRandom random) {
    return random.nextLong() >>> random.nextInt(64) << random.nextInt(40);
  }

  /** What rank 0 tells in a dup is what it likes. */
  @Test
  void aCommunicatorThatCannotBeIsNotMade() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 50; i++) { // a job each: a rank that was told what cannot be makes no more of that communicator
      long[] words = {drawn(random), drawn(random)};
      Ranks.run(cores, 2, job -> {
        Engine engine = job.world().engine();
        if (job.world().rank() == 1) {
          assertThrows(AdrasteaException.class, job.world()::dup);
          return;
        }
        Collectives collectives = engine.collectives(engine.slots(world()), world(), 0, worldSlot(job));
        MemorySegment told = MemorySegment.ofArray(words.clone());
        collectives.bcast(Form.BLOCKING, new Contiguous(told, 0, told.byteSize()), 0, SlotMember.FOR_DUP);
      });
    }
  }

  @Test
  void stagesThatLieNowhereAreNotUsed() throws Exception {
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 20; i++) {
      long offset = Math.max(1, drawn(random));
      CountDownLatch written = new CountDownLatch(1);
      CountDownLatch refused = new CountDownLatch(1);
      Ranks.run(cores, 2, job -> {
        if (job.world().rank() == 0) {
          Words.storeReleaseLong(worldSlot(job), SlotDescriptor.STAGES_OFFSET, offset);
          written.countDown();
          Ranks.await(refused);
        } else {
          Ranks.await(written);
          assertThrows(SegmentException.class, () -> job.world().bcast(Data.of(new byte[LONG]), 1));
          refused.countDown();
        }
      });
    }
  }

  /** Decisions to shrink that name a slot where there is none, and slots of members that do not exist. */
  @Test
  void decisionsThatCannotBeAreRefused() throws Exception {
    Ranks.run(cores, 2, job -> {
      SplittableRandom random = new SplittableRandom(3);
      MemorySegment slot = worldSlot(job);
      long said = SlotDescriptor.memberOffset(2, 1) + SlotMemberDescriptor.AGREEMENT_OFFSET;
      Communicator world = job.world();
      for (int i = 1; i <= ROUNDS; i++) {
        if (world.rank() == 0) {
          long before = Words.loadAcquireLong(slot, said);
          world.sendrecv(Data.of(new byte[1]), 1, 0, Data.of(new byte[1]), 1, 0);
          while (Words.loadAcquireLong(slot, said) == before) {
            Thread.onSpinWait();
          }
          long owner = random.nextInt(5);
          long proposal = drawn(random) & (1L << 40) - 1;
          Words.storeReleaseLong(slot, SlotDescriptor.SHRUNK_OFFSET, (long) i << 52 | owner << 40 | proposal);
          world.sendrecv(Data.of(new byte[1]), 1, 0, Data.of(new byte[1]), 1, 0);
        } else {
          world.sendrecv(Data.of(new byte[1]), 0, 0, Data.of(new byte[1]), 0, 0);
          AdrasteaException refusal = assertThrows(AdrasteaException.class, world::shrink);
          assertTrue(refusal instanceof SegmentException || refusal.getMessage().contains("could not make"),
              refusal::toString);
          world.sendrecv(Data.of(new byte[1]), 0, 0, Data.of(new byte[1]), 0, 0);
        }
      }
      assertEquals(2, world.allreduce(1, Op.SUM));
    });
  }

  @Test
  void aSlotWhoseMembersAreNoneIsRefused() throws Exception {
    for (int wrong : new int[] {-1, 2, Integer.MAX_VALUE, 0}) {
      CountDownLatch refused = new CountDownLatch(1);
      Ranks.run(cores, 2, job -> {
        MemorySegment slot = worldSlot(job);
        if (job.world().rank() == 0) {
          MemorySegment made = job.allocate(SlotDescriptor.bytes(2), 128);
          made.fill((byte) 0);
          Words.store(made, SlotDescriptor.CONTEXT_ID_OFFSET, 5 << 14);
          Words.store(made, SlotDescriptor.RANKS_OFFSET, 2);
          Words.store(made, SlotDescriptor.rankOffset(0), wrong == 0 ? 1 : wrong); // 1: twice
          Words.store(made, SlotDescriptor.rankOffset(1), 1);
          long said = SlotDescriptor.memberOffset(2, 1) + SlotMemberDescriptor.AGREEMENT_OFFSET;
          while (Words.loadAcquireLong(slot, said) == 0) {
            Thread.onSpinWait();
          }
          long offset = job.offset(made);
          Words.storeReleaseLong(slot, SlotDescriptor.SHRUNK_OFFSET, 1L << 52 | 1L << 40 | offset >>> 7);
          Ranks.await(refused);
        } else {
          assertThrows(SegmentException.class, job.world()::shrink);
          refused.countDown();
        }
      });
    }
  }
}
