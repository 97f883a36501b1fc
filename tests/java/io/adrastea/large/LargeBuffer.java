package io.adrastea.large;

import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.IoVector;
import io.adrastea.Job;
import io.adrastea.LargeKind;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Status;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;

/** A buffer of a {@link LargeKind}, and the calls that take it. To be closed, which frees what can be freed. */
public final class LargeBuffer implements AutoCloseable {
  private final Job job;
  private final List<MemorySegment> pieces = new ArrayList<>();
  private final List<MemorySegment> allocations = new ArrayList<>();
  private Object kept;
  private Arena arena;
  private Data data; // null: a segment
  private IoVector parts;

  public LargeBuffer(Job job) {
    this.job = job;
  }

  /**
   * Returns the same memory as if it were of the global arena; what it really belongs to is kept as long as this
   * buffer.
   */
  public MemorySegment keep(MemorySegment memory, long bytes) {
    kept = memory;
    return MemorySegment.ofAddress(memory.address()).reinterpret(bytes);
  }

  public Arena closing(Arena closed) {
    arena = closed;
    return closed;
  }

  /** What it can be closed by. */
  public Arena arena() {
    return arena;
  }

  public MemorySegment allocate(int bytes) {
    MemorySegment memory = job.allocate(bytes, 1);
    allocations.add(memory);
    return memory;
  }

  public void use(MemorySegment memory) {
    pieces.add(memory);
  }

  /** Data of an array, or of a byte buffer. */
  public void use(Data all, MemorySegment memory) {
    data = all;
    pieces.add(memory);
  }

  public void addPart(MemorySegment memory) {
    parts = parts == null ? new IoVector() : parts;
    parts.add(memory);
    data = Data.of(parts);
    pieces.add(memory);
  }

  /** The memory of one that is a segment. */
  public MemorySegment memory() {
    return pieces.getFirst();
  }

  public LargeBuffer fill(long seed) {
    long bytes = pieces.stream().mapToLong(MemorySegment::byteSize).sum();
    MemorySegment contents = MemorySegment.ofArray(Contents.of((int) bytes, seed));
    long at = 0;
    for (MemorySegment piece : pieces) {
      piece.copyFrom(contents.asSlice(at, piece.byteSize()));
      at += piece.byteSize();
    }
    return this;
  }

  /** Checks that the buffer begins with a message of so many bytes, and that nothing was written behind it. */
  public void check(int bytes, long seed) {
    MemorySegment contents = MemorySegment.ofArray(Contents.of(bytes, seed));
    long at = 0;
    for (MemorySegment piece : pieces) {
      long now = Math.min(piece.byteSize(), bytes - at);
      long difference = contents.asSlice(at, now).mismatch(piece.asSlice(0, now));
      if (difference >= 0) {
        throw new AssertionError("wrong from byte %d of %d on".formatted(at + difference, bytes));
      }
      Contents.checkZero(piece.asSlice(now));
      at += now;
    }
  }

  /** Checks that it holds the beginning of a message. */
  public void checkStart(byte[] message) {
    long at = 0;
    for (MemorySegment piece : pieces) {
      MemorySegment wanted = MemorySegment.ofArray(message).asSlice(at, piece.byteSize());
      if (wanted.mismatch(piece) >= 0) {
        throw new AssertionError("wrong from byte %d on".formatted(at + wanted.mismatch(piece)));
      }
      at += piece.byteSize();
    }
  }

  /** What calls take. */
  public Data data() {
    return data != null ? data : Data.of(memory());
  }

  public void send(int destination, int tag) {
    if (data != null) {
      Ranks.world(job).send(data, destination, tag);
    } else {
      Ranks.world(job).send(memory(), destination, tag);
    }
  }

  public Status recv(int source, int tag) {
    return data != null ? Ranks.world(job).recv(data, source, tag) : Ranks.world(job).recv(memory(), source, tag);
  }

  public Request isend(int destination, int tag) {
    return data != null ? Ranks.world(job).isend(data, destination, tag)
        : Ranks.world(job).isend(memory(), destination, tag);
  }

  public Request irecv(int source, int tag) {
    return data != null ? Ranks.world(job).irecv(data, source, tag) : Ranks.world(job).irecv(memory(), source, tag);
  }

  @Override
  public void close() {
    Reference.reachabilityFence(kept);
    allocations.forEach(job::free);
    if (arena != null && arena.scope().isAlive()) {
      arena.close();
    }
  }
}
