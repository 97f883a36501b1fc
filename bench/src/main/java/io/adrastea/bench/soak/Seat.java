package io.adrastea.bench.soak;

import io.adrastea.Communicator;
import io.adrastea.Job;
import io.adrastea.config.Tunable;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.SplittableRandom;

/** What a rank has for the whole soak: its memory for messages, its tally, its chance. */
final class Seat {
  /** Beside the largest messages: what alignment and guards of small ones take. */
  private static final int MARGIN = 1 << 17;

  final Job job;
  final Communicator world;
  final int rank;
  final Tally tally = new Tally();
  final Together together;
  final int claimable = Tunable.CELL_BYTES.intValue();
  final int blocking = Math.min(claimable, mostBlocking());

  private final Map<Place, Slab> outgoing;
  private final Map<Place, Slab> incoming;

  SplittableRandom chance = new SplittableRandom();

  Seat(Job job, int largest) {
    this.job = job;
    this.world = job.world();
    this.rank = world.rank();
    this.together = new Together(this);
    this.outgoing = Slab.each(job, largest + MARGIN);
    this.incoming = Slab.each(job, largest + MARGIN);
  }

  /** The longest message whose send never waits for its receive, whatever memory it lies in. */
  private static int mostBlocking() {
    return Tunable.EAGER_BYTES.word().equals("auto") ? 2048 : Tunable.EAGER_BYTES.intValue();
  }

  boolean oneIn(int times) {
    return chance.nextInt(times) == 0;
  }

  private Place anyPlace() {
    return Place.ALL[chance.nextInt(Place.ALL.length)];
  }

  /** All messages of the step before have left. */
  void clearOutgoing() {
    outgoing.values().forEach(Slab::clear);
  }

  Stretch outgoing(int bytes) {
    return outgoing.get(anyPlace()).take(bytes, chance);
  }

  /** Room to receive into, in memory of any kind; null: there is none for so many bytes. */
  Stretch incoming(int bytes) {
    return incoming(bytes, anyPlace());
  }

  Stretch incoming(int bytes, Place place) {
    Slab slab = incoming.get(place);
    return slab.hasRoom(bytes) ? slab.take(bytes, chance) : null;
  }

  /** Nothing is being received. */
  void clearIncoming() {
    incoming.values().forEach(Slab::clear);
  }

  /** Does nothing for a while. */
  static void pause(int micros) {
    if (micros > 0) {
      java.util.concurrent.locks.LockSupport.parkNanos(micros * 1000L);
    }
  }

  /** Fails when a message is not what was sent. */
  void check(Traffic traffic, int tag, int source, MemorySegment memory, long from) {
    long wrong = Contents.mismatch(memory, traffic.firstWord(tag, source, rank), from);
    if (wrong >= 0) {
      throw new IllegalStateException(
          "rank %d: wrong contents: byte %d of the %d of message %s from rank %d (step %d, %s, seed %d, round %d)"
              .formatted(
                  rank, from + wrong, traffic.bytes(tag, source, rank), Traffic.number(tag), source,
                  Traffic.step(tag), traffic.pattern(Traffic.step(tag)), traffic.seed(), traffic.round()));
    }
  }
}
