package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Job;
import io.adrastea.Message;
import io.adrastea.Request;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.RankFailedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Ranks 0 and 1 exchange large messages with one victim after the other, each of which rank 0 kills in the middle;
 * between themselves they go on. What was received completely must be right. The arguments: what the victims' numbers
 * choose from, {@code SENDER-RECEIVER} kinds of buffers; {@code blocks} and {@code sharedblocks} are blocks with gaps
 * between them, of other lengths at a sender than at a receiver.
 */
public final class DuelRank {
  private static final int SURVIVORS = 2;
  private static final int BYTES = 2_000_003;
  private static final int CONTENTS = 4; // one message differs from the next
  private static final int GO = 1;
  private static final int LARGE = 2;
  private static final int BETWEEN = 3;
  private static final int MESSAGES_BEFORE = Integer.getInteger("adrastea.test.before", 1); // that a victim exchanges
  private static final int SENT_BLOCK = 1000;
  private static final int RECEIVED_BLOCK = 700;
  private static final int GAP = 100;
  private static final long MOST_DELAY = 8_000_000; // nanoseconds

  private final Job job;
  private final Communicator world;
  private final String[] ways;
  private final MemorySegment[] expected = new MemorySegment[CONTENTS];
  private long checked;

  private DuelRank(Job job, String[] ways) {
    this.job = job;
    this.world = job.world();
    this.ways = ways;
    for (int i = 0; i < CONTENTS; i++) {
      expected[i] = MemorySegment.ofArray(new byte[BYTES]);
      Filling.write(expected[i], i);
    }
  }

  public static void main(String[] args) throws Exception {
    Job job = Job.join();
    DuelRank rank = new DuelRank(job, args);
    if (job.world().rank() < SURVIVORS) {
      rank.survive();
      job.close();
    } else {
      rank.beVictim();
    }
  }

  // ---- ranks that stay

  private void survive() throws Exception {
    int peer = 1 - world.rank();
    SplittableRandom random = new SplittableRandom(world.size());
    for (int victim = SURVIVORS; victim < world.size(); victim++) {
      MemorySegment between = MemorySegment.ofArray(new byte[BYTES]);
      Request in = world.irecv(between, peer, BETWEEN);
      Request out = world.isend(expected[victim % CONTENTS], peer, BETWEEN);
      String[] way = ways[victim % ways.length].split("-");
      duel(victim, way[0], way[1], random.nextLong(MOST_DELAY));
      in.await();
      out.await();
      check(between, victim, "from rank " + peer);
    }
    System.out.printf("survived %d, checked %d messages%n", world.size() - SURVIVORS, checked);
  }

  private void duel(int victim, String from, String to, long delay) throws Exception {
    Buffer[] sources = sources(from);
    Buffer sink = buffer(to, RECEIVED_BLOCK);
    long[] pid = new long[1];
    world.send(Data.of(pid, 0, 1), victim, GO);
    world.recv(Data.of(pid, 0, 1), victim, GO);
    Thread killer = null;
    boolean over = false;
    for (int i = 0; !over; i++) {
      if (i == MESSAGES_BEFORE && world.rank() == 0) {
        killer = Thread.ofPlatform().start(() -> kill(pid[0], delay));
      }
      over = exchange(victim, sources[i % CONTENTS], to, sink, i);
    }
    if (killer != null) {
      killer.join();
    }
    free(from, sources);
    free(to, sink);
  }

  private void kill(long pid, long delay) {
    LockSupport.parkNanos(delay);
    ProcessHandle victim = ProcessHandle.of(pid).orElseThrow();
    victim.destroyForcibly(); // SIGKILL
  }

  /** One message each way; whether the victim is gone. */
  private boolean exchange(int victim, Buffer source, String to, Buffer sink, int number) {
    Request in = to.equals("place") ? null : world.irecv(sink.data(), victim, LARGE);
    Request out = world.isend(source.data(), victim, LARGE);
    boolean over = false;
    try {
      if (in == null) {
        try (Message message = world.recvMessage(victim, LARGE)) {
          check(message.segment(), number, "in place from the victim");
        }
      } else {
        in.await();
        check(sink.contents(), number, "from the victim");
      }
    } catch (AdrasteaException e) {
      over = isOf(victim, e);
    }
    try {
      out.await();
    } catch (AdrasteaException e) {
      over = isOf(victim, e);
    }
    return over;
  }

  private static boolean isOf(int victim, AdrasteaException failure) {
    if (!(failure instanceof RankFailedException failed && failed.rank() == victim)) {
      throw new IllegalStateException("not the failure of rank " + victim, failure);
    }
    return true;
  }

  private void check(MemorySegment found, int number, String what) {
    long difference = expected[number % CONTENTS].mismatch(found);
    if (difference >= 0) {
      throw new IllegalStateException("%s, message %d: wrong from byte %d on".formatted(what, number, difference));
    }
    checked++;
  }

  // ---- ranks that go

  private void beVictim() {
    String[] way = ways[world.rank() % ways.length].split("-");
    Buffer[] sources = sources(way[0]);
    Buffer[] sinks = {buffer(way[1], RECEIVED_BLOCK), buffer(way[1], RECEIVED_BLOCK)};
    long[] pid = {ProcessHandle.current().pid()};
    for (int survivor = 0; survivor < SURVIVORS; survivor++) {
      world.recv(Data.of(new long[1]), survivor, GO);
    }
    for (int survivor = 0; survivor < SURVIVORS; survivor++) {
      world.send(Data.of(pid, 0, 1), survivor, GO);
    }
    for (int i = 0; true; i++) {
      Request[] requests = new Request[2 * SURVIVORS];
      for (int survivor = 0; survivor < SURVIVORS; survivor++) {
        requests[survivor] = world.irecv(sinks[survivor].data(), survivor, LARGE);
        requests[SURVIVORS + survivor] = world.isend(sources[i % CONTENTS].data(), survivor, LARGE);
      }
      Request.waitAll(requests);
    }
  }

  // ---- memory

  /** Memory of a message; {@code type}: the blocks in it that the message consists of, null: all of it. */
  private record Buffer(MemorySegment memory, Datatype type) {
    Data data() {
      return type == null ? Data.of(memory) : Data.of(memory, 0, 1, type);
    }

    MemorySegment contents() {
      MemorySegment contents = MemorySegment.ofArray(new byte[BYTES]);
      if (type == null) {
        return contents.copyFrom(memory);
      }
      type.pack(memory, 0, 1, contents, 0);
      return contents;
    }

    Buffer fill(MemorySegment contents) {
      if (type == null) {
        memory.copyFrom(contents);
      } else {
        type.unpack(contents, 0, memory, 0, 1);
      }
      return this;
    }
  }

  private static Datatype blocks(int block) {
    int whole = BYTES / block;
    Datatype blocks = Datatype.hvector(whole, block, block + GAP, Datatype.BYTE);
    Datatype rest = Datatype.contiguous(BYTES % block, Datatype.BYTE);
    return Datatype.struct(new long[] {1, 1}, new long[] {0, (long) whole * (block + GAP)}, blocks, rest);
  }

  private Buffer buffer(String kind, int block) {
    boolean hasGaps = kind.endsWith("blocks");
    Datatype type = hasGaps ? blocks(block) : null;
    long bytes = hasGaps ? type.extent() : BYTES;
    return new Buffer(switch (kind) {
      case "native", "blocks" -> Arena.ofAuto().allocate(bytes);
      case "shared", "sharedblocks" -> job.allocate(bytes, 1);
      case "file" -> MappedFiles.allocate(bytes);
      default -> MemorySegment.ofArray(new byte[BYTES]);
    }, type);
  }

  private Buffer[] sources(String kind) {
    Buffer[] sources = new Buffer[CONTENTS];
    for (int i = 0; i < CONTENTS; i++) {
      sources[i] = buffer(kind, SENT_BLOCK).fill(expected[i]);
    }
    return sources;
  }

  private void free(String kind, Buffer... buffers) {
    for (Buffer buffer : buffers) {
      if (kind.startsWith("shared")) {
        job.free(buffer.memory());
      }
    }
  }
}
