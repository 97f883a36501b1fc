package io.adrastea.it;

import static io.adrastea.Communicator.ANY_SOURCE;
import static io.adrastea.Communicator.ANY_TAG;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.Request;
import io.adrastea.Status;
import io.adrastea.error.RankFailedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Every rank sends numbered messages to every other, and checks that what comes is right, in order, and there once;
 * ranks from {@link #SURVIVORS} on are killed in the middle of it. When all of them are dead, the survivors see to it
 * that nothing they sent each other is missing, and that all their cells are back. Twin of
 * {@code tests/c/ranks/survival_rank.c}, which is the last survivor. Arguments: seed, cells of a rank, a directory for
 * marks.
 */
public final class SurvivalRank {
  static final int SURVIVORS = 4;
  private static final int C_SURVIVOR = SURVIVORS - 1;

  private static final int DATA = 1;
  private static final int STOP = 2;
  private static final int END = 3;
  private static final int QUIET = 4;
  private static final int DEPTH = 5;
  private static final int LEAST_BYTES = 8;
  private static final int MORE_BYTES = 511; // so that some take several cells, a power of two less 1
  private static final int LOOKS = 64; // rounds from one look for failed ranks to the next
  private static final int POLLS = 4;
  private static final int ENOUGH = 5; // messages from each rank before the first is killed
  private static final int CALLS = 6;

  /** Payload of a cell, and more than a fastbox takes. */
  static final int CELL_LONGS = 16;

  static final int BOX_BYTES = 64;

  private final Job job;
  private final Communicator world;
  private final int self;
  private final int size;
  private final long seed;
  private final SplittableRandom random;
  private final Request[] sends;
  private final MemorySegment[] outgoing;
  private final MemorySegment incoming = buffer(LEAST_BYTES + MORE_BYTES);
  private final long[] sent;
  private final long[] received;
  private final boolean[] lost; // ranks that a send or receive has found dead
  private boolean told; // that all ranks talk

  private SurvivalRank(Job job, long seed) {
    this.job = job;
    this.world = job.world();
    this.self = world.rank();
    this.size = world.size();
    this.seed = seed;
    this.random = new SplittableRandom(Filling.word(seed, self));
    this.sends = new Request[size];
    this.outgoing = new MemorySegment[size];
    this.sent = new long[size];
    this.received = new long[size];
    this.lost = new boolean[size];
  }

  public static void main(String[] args) throws Exception {
    try (Job job = Job.join()) {
      SurvivalRank rank = new SurvivalRank(job, Long.parseLong(args[0]));
      rank.talk();
      rank.end();
      int depth = rank.measure(Path.of(args[2]));
      System.out.printf(
          "%s: survived %d, sent %d, depth %d of %s%n", job.core(), rank.size - SURVIVORS, rank.sent(), depth, args[1]);
    }
  }

  private static MemorySegment buffer(int bytes) {
    return MemorySegment.ofArray(new byte[bytes]);
  }

  private long sent() {
    long all = 0;
    for (int survivor = 0; survivor < SURVIVORS; survivor++) {
      all += sent[survivor];
    }
    return all;
  }

  private long number(int from, int to, long sequence) {
    return Filling.word(seed, (long) from << 48 | (long) to << 40 | sequence);
  }

  private static int bytes(long number) {
    return LEAST_BYTES + (int) (number & MORE_BYTES);
  }

  // ---- while ranks die

  private void talk() {
    for (int round = 0; !isOver(round); round++) {
      int peer = random.nextInt(size);
      if (peer != self && !lost[peer]) {
        send(peer);
      }
      if (!receiveAll()) {
        Thread.yield();
      }
      if (random.nextInt(LOOKS) == 0) {
        await(random.nextInt(size)); // whoever waits looks after the dead
      }
    }
  }

  /** Rank 0 tells the other survivors; those that are to be killed go on. */
  private boolean isOver(int round) {
    if (self != 0) {
      return self < SURVIVORS && world.iprobe(0, STOP) != null;
    }
    if (!told && round % LOOKS == 0 && hasHeard()) {
      told = true;
      System.out.println("all talk");
    }
    return round % LOOKS == 0 && job.failedRanks().size() == size - SURVIVORS;
  }

  private boolean hasHeard() {
    for (int peer = 1; peer < size; peer++) {
      if (received[peer] < ENOUGH) {
        return false;
      }
    }
    return true;
  }

  private void send(int peer) {
    try {
      if (sends[peer] != null && !sends[peer].test()) {
        return;
      }
      sends[peer] = null;
      long number = number(self, peer, sent[peer]++);
      outgoing[peer] = buffer(bytes(number));
      Filling.write(outgoing[peer], number);
      sends[peer] = world.isend(outgoing[peer], peer, DATA);
    } catch (RankFailedException e) {
      lose(peer, e);
    }
  }

  private void await(int peer) {
    try {
      if (sends[peer] != null) {
        sends[peer].await();
        sends[peer] = null;
      }
    } catch (RankFailedException e) {
      lose(peer, e);
    }
  }

  private void lose(int peer, RankFailedException failure) {
    if (peer < SURVIVORS || failure.rank() != peer) {
      throw new IllegalStateException("not the failure of rank " + peer, failure);
    }
    lost[peer] = true;
    sends[peer] = null;
  }

  private boolean receiveAll() {
    boolean any = false;
    for (Status next = look(); next != null; next = look()) {
      receive(next.source());
      any = true;
    }
    return any;
  }

  private Status look() {
    return world.iprobe(ANY_SOURCE, DATA);
  }

  private void receive(int source) {
    Status got;
    try {
      got = world.recv(incoming, source, DATA);
    } catch (RankFailedException e) { // it died over this message
      lose(source, e);
      return;
    }
    long number = number(source, self, received[source]);
    String what = "message %d from rank %d to rank %d".formatted(received[source]++, source, self);
    if (got.bytes() != bytes(number)) {
      throw new IllegalStateException(
          "%s has %d bytes; it was sent with %d".formatted(what, got.bytes(), bytes(number)));
    }
    Filling.check(incoming.asSlice(0, got.bytes()), number, what);
  }

  // ---- afterwards

  /** All that the survivors have sent each other is to be there. */
  private void end() {
    for (int peer = 0; peer < size; peer++) {
      await(peer);
    }
    for (int peer = 0; peer < SURVIVORS; peer++) {
      if (self == 0 && peer != 0) {
        world.send(Data.of(new long[1]), peer, STOP);
      }
    }
    if (self != 0) {
      world.recv(Data.of(new long[1]), 0, STOP);
    }
    Request[] ends = new Request[SURVIVORS];
    for (int peer = 0; peer < SURVIVORS; peer++) {
      ends[peer] = peer == self ? null : world.isend(Data.of(new long[] {sent[peer]}, 0, 1), peer, END);
    }
    for (int peer = 0; peer < SURVIVORS; peer++) {
      if (peer != self) {
        receiveToEnd(peer);
        ends[peer].await();
      }
    }
    receiveAll(); // of the dead
  }

  private void receiveToEnd(int peer) {
    world.probe(peer, END);
    while (world.iprobe(peer, DATA) != null) {
      receive(peer);
    }
    long[] count = new long[1];
    world.recv(Data.of(count, 0, 1), peer, END);
    if (count[0] != received[peer]) {
      throw new IllegalStateException(
          "rank %d sent %d messages, and %d came".formatted(peer, count[0], received[peer]));
    }
  }

  /** How many messages go from here to another survivor, which looks at none: each of the Java ranks in turn. */
  private int measure(Path marks) throws IOException, InterruptedException {
    int depth = 0;
    for (int turn = 0; turn < C_SURVIVOR; turn++) {
      Path mark = marks.resolve("measured-" + turn);
      int target = (turn + 1) % C_SURVIVOR;
      if (turn == self) {
        depth = measureTo(target, mark);
      } else {
        giveBack();
        world.send(Data.of(new long[1]), turn, QUIET);
        while (!Files.exists(mark)) {
          Thread.sleep(1); // outside of all calls: nothing is taken in here
        }
        for (boolean more = self == target; more;) {
          long[] last = new long[CELL_LONGS];
          world.recv(Data.of(last, 0, CELL_LONGS), turn, DEPTH);
          more = last[0] == 0;
        }
      }
    }
    return depth;
  }

  /** A look that finds nothing gives the cell back that was read last. */
  private void giveBack() {
    for (int polls = 0; polls < POLLS; polls++) {
      world.iprobe(ANY_SOURCE, ANY_TAG);
    }
  }

  private int measureTo(int target, Path mark) throws IOException {
    for (int peer = 0; peer < C_SURVIVOR; peer++) {
      if (peer != self) {
        world.recv(Data.of(new long[1]), peer, QUIET);
      }
    }
    for (int call = 0; call < CALLS; call++) { // each looks after the dead, and after the C rank, which has left
      requireGone(call % 2 == 0 ? C_SURVIVOR : SURVIVORS);
    }
    Request request = fillCell(target);
    int depth = 0;
    for (; request.test(); depth++) {
      request = fillCell(target);
    }
    Files.createFile(mark);
    request.await();
    world.send(Data.of(new long[] {1}, 0, 1), target, DEPTH);
    return depth;
  }

  /** A message that goes by a cell, whether there is a fastbox or not. */
  private Request fillCell(int target) {
    return world.isend(Data.of(new long[CELL_LONGS]), target, DEPTH);
  }

  private void requireGone(int rank) {
    try {
      world.recv(Data.of(new long[1]), rank, END);
    } catch (RankFailedException e) {
      return;
    }
    throw new IllegalStateException("rank %d is still there".formatted(rank));
  }
}
