package io.adrastea;

import io.adrastea.bootstrap.Member;
import io.adrastea.engine.Engine;
import io.adrastea.engine.EngineSettings;
import io.adrastea.engine.Surroundings;
import io.adrastea.shared.SharedHeap;
import io.adrastea.shared.SharedReach;

/** What a {@link Job} is made of. */
abstract sealed class JobFrame permits SharedMemoryCalls {
  final Member member;
  final SharedHeap heap;
  final SharedReach reach;
  final Engine engine;
  private final boolean ownsSegment;

  JobFrame(Member member, boolean ownsSegment, EngineSettings settings) {
    this.member = member;
    this.ownsSegment = ownsSegment;
    this.heap = new SharedHeap(member.segment(), member.rank());
    this.reach = new SharedReach(member.segment());
    this.engine = engine(settings);
  }

  /** An idle strategy or a mechanism that cannot be had is this rank's failure: the others are not to wait for it. */
  private Engine engine(EngineSettings settings) {
    try {
      Surroundings around =
          new Surroundings(
              member.core(), member.provider().spaces(), member.table(), member.rank(), member.segment(), heap, reach);
      return new Engine(around, settings);
    } catch (RuntimeException | Error e) {
      member.fail();
      throw e;
    }
  }

  /** Gives up what the rank has of its own, once it has left. */
  final void release() {
    heap.close();
    reach.close();
    if (ownsSegment) {
      member.segment().close();
    }
  }
}
