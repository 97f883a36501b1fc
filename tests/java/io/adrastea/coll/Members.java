package io.adrastea.coll;

import io.adrastea.atomic.Words;
import io.adrastea.core.Core;
import io.adrastea.core.Sleeper;
import io.adrastea.core.SleeplessNode;
import io.adrastea.core.SlotMember;
import io.adrastea.layout.SlotDescriptor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The members of a slot on plain memory, a thread each. */
final class Members {
  /** Nobody sleeps on plain memory. */
  private static final Sleeper NOBODY =
      new SleeplessNode() {
        @Override
        public long announceSleep() {
          return Core.NOSYS;
        }

        @Override
        public int sleep(long word, long nanos) {
          return Core.NOSYS;
        }

        @Override
        public int avoidSharedCpu(int other) {
          return Core.NOSYS;
        }
      };

  final MemorySegment slot;
  final MemorySegment stages;
  final List<SlotMember> members = new ArrayList<>();

  Members(int ranks, int choices) {
    slot = Arena.ofAuto().allocate(SlotDescriptor.bytes(ranks), 128);
    Words.store(slot, SlotDescriptor.RANKS_OFFSET, ranks);
    Words.store(slot, SlotDescriptor.CHOICES_OFFSET, choices);
    for (int member = 0; member < ranks; member++) {
      Words.store(slot, SlotDescriptor.rankOffset(member), member);
    }
    for (int member = 0; member < ranks; member++) {
      members.add(new Member(slot, member, ranks, NOBODY));
    }
    stages = Arena.ofAuto().allocate(Math.max(1, members.get(0).stagesBytes()), 4096);
  }

  int size() {
    return members.size();
  }

  SlotMember get(int member) {
    return members.get(member);
  }

  /** What a member does. */
  interface Body {
    void run(int member) throws Exception;
  }

  /** Each member in a thread of its own; throws what one has thrown. */
  void run(Body body) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(size());
    try {
      List<Callable<Void>> calls = new ArrayList<>();
      for (int member = 0; member < size(); member++) {
        int number = member;
        calls.add(
            () -> {
              body.run(number);
              return null;
            });
      }
      for (Future<Void> end : threads.invokeAll(calls)) {
        end.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Goes through a collective to its end, with buffers at hand; or to what ends it otherwise. */
  int go(
      int member, int kind, int root, long bytes, int element, int op, MemorySegment in, MemorySegment out) {
    SlotMember self = get(member);
    int status = self.begin(kind, root, bytes, element, op, in, 0, out, 0, 100);
    int which = self.begun();
    while (status == Core.AGAIN || status == SlotMember.MOVED || status == SlotMember.NEEDS_STAGES
        || status == SlotMember.EXPOSE) {
      if (status == SlotMember.NEEDS_STAGES) {
        self.stages(stages);
        if (member == 0) {
          self.publishStages(4096);
        }
      } else if (status == SlotMember.EXPOSE) {
        self.expose(which, 0, 0, 0, 0, 0, 0); // arrays
      } else if (status == Core.AGAIN) {
        Thread.yield();
      }
      status = self.step(which, in, 0, out, 0, 100);
    }
    return status;
  }
}
