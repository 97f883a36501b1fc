package io.adrastea.coll;

import io.adrastea.atomic.Words;
import io.adrastea.core.Core;
import io.adrastea.core.Sleeper;
import io.adrastea.core.SlotMember;
import io.adrastea.layout.SlotDescriptor;
import io.adrastea.segment.GivenView;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A member waits in a barrier, and the other revokes the communicator and closes it. What the barrier ends with: the
 * one that waits looks at the state of the other first, and then whether the communicator is revoked.
 */
@JCStressTest
@Outcome(id = "-43", expect = Expect.ACCEPTABLE, desc = "the communicator is revoked")
@Outcome(id = "-108", expect = Expect.FORBIDDEN, desc = "it is closed, and that it was revoked before was missed")
@State
public class RevokedAndClosedRace {
  private static final int RANKS = 2;

  /** A node on which nobody sleeps, so that nobody is woken. */
  private static final class Sleepless implements Sleeper {
    @Override
    public int enableSenderFence() {
      return 0;
    }

    @Override
    public long announceSleep() {
      return Core.NOSYS;
    }

    @Override
    public int sleep(long word, long nanos) {
      return Core.NOSYS;
    }

    @Override
    public int endSleep() {
      return 0;
    }

    @Override
    public int wake(int rank) {
      return 0;
    }

    @Override
    public int giveWay(long now) {
      return 0;
    }

    @Override
    public int worksUntil(long time) {
      return 0;
    }

    @Override
    public int wasGivenWay(long since) {
      return 0;
    }

    @Override
    public int avoidSharedCpu(int other) {
      return Core.NOSYS;
    }
  }

  private final SlotMember waits;
  private final SlotMember leaves;

  public RevokedAndClosedRace() {
    MemorySegment slot = GivenView.memory(SlotDescriptor.bytes(RANKS));
    Words.store(slot, SlotDescriptor.RANKS_OFFSET, RANKS);
    for (int member = 0; member < RANKS; member++) {
      Words.store(slot, SlotDescriptor.rankOffset(member), member);
    }
    waits = new Member(slot, 0, RANKS, new Sleepless());
    leaves = new Member(slot, 1, RANKS, new Sleepless());
    waits.begin(SlotMember.BARRIER, 0, 0, 0, 0, null, 0, null, 0, 1);
  }

  @Actor
  public void leave() {
    leaves.revoke();
    leaves.closeState();
  }

  @Actor
  public void await(I_Result end) {
    int status;
    do {
      status = waits.step(waits.begun(), null, 0, null, 0, 1);
    } while (status == Core.AGAIN);
    end.r1 = status;
  }
}
