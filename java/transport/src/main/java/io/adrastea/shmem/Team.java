package io.adrastea.shmem;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Op;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.space.DirectCopy;
import java.lang.foreign.MemorySegment;

/**
 * Some PEs of a symmetric heap, numbered from 0 on, and what they do together: the teams and collectives of OpenSHMEM
 * [OpenSHMEM over XPMEM 2011, 4.3]. All PEs of a team make the same calls in the same order. {@link Shmem#team} has all
 * PEs.
 *
 * <p>
 * A team stands on a {@link Communicator} of its own, whose collectives do the work. Places are an object and an offset
 * in it, the same at all PEs. Source and destination are the same place, or do not overlap. At the end of a call its
 * result is there at this PE; other PEs may still read this PE's source.
 */
public final class Team implements AutoCloseable {
  private final Shmem shmem;
  private final Communicator communicator;
  private final int first; // its PE 0, by the number in the heap
  private final int distance; // from each PE to the next in the heap
  private final int pes;
  private boolean closed;
  private final boolean ends; // it is not that of all PEs
  private final Kept sources = new Kept(); // calls of a team are made by one thread at a time
  private final Kept results = new Kept();
  private final long[] given = new long[1]; // bytes of this PE in a collect
  private final long[] gathered; // of all PEs
  private final Data givenData = Data.of(given);
  private final Data gatheredData;

  Team(Shmem shmem, Communicator communicator, int first, int distance, boolean ends) {
    this.shmem = shmem;
    this.communicator = communicator;
    this.first = first;
    this.pes = communicator.size();
    this.distance = pes == 1 ? 1 : distance;
    this.ends = ends;
    this.gathered = new long[pes];
    this.gatheredData = Data.of(gathered);
  }

  /** Some of the PEs of this one, at equal distances. */
  private Team part(Communicator members, int from, int apart) {
    return new Team(shmem, members, first + from * distance, apart * distance, true);
  }

  /** {@return this PE's number in the team} */
  public int pe() {
    return communicator.rank();
  }

  /** {@return how many PEs the team has} */
  public int pes() {
    return pes;
  }

  /**
   * The number in the heap of a PE of the team: the one that accesses name it by.
   *
   * @param pe of the team
   * @return its number in the heap
   * @throws IllegalArgumentException when there is no such PE
   */
  public int numberInHeap(int pe) {
    requirePe("numberInHeap", pe);
    return number(pe);
  }

  /** The number in the heap of a PE that is in the team for certain. */
  int number(int pe) {
    return first + pe * distance;
  }

  /**
   * The number that a PE of this team has in another one.
   *
   * @param pe of this team
   * @param other of the same heap
   * @return its number there; -1: it is not in that team
   * @throws IllegalArgumentException when there is no such PE, or the team is of another heap
   */
  public int translate(int pe, Team other) {
    requirePe("translate", pe);
    if (other.shmem != shmem) {
      throw new ArgumentException(Reason.OTHER, "%s is of another heap than %s".formatted(other, this));
    }
    int behind = number(pe) - other.first;
    boolean isIn = behind >= 0 && behind % other.distance == 0 && behind / other.distance < other.pes;
    return isIn ? behind / other.distance : -1;
  }

  private void requirePe(String call, int pe) {
    if (pe < 0 || pe >= pes) {
      throw new ArgumentException(Reason.RANK,
          "%s of PE %d of %s, which has PEs 0 to %d".formatted(call, pe, this, pes - 1));
    }
  }

  /**
   * Makes a team of some PEs of this one, at equal distances; all PEs of this one call it alike.
   *
   * @param start the first
   * @param stride from one to the next, 1 or more
   * @param size how many, 1 or more
   * @return the team; null at a PE that is not in it
   * @throws IllegalArgumentException when there are no such PEs
   * @throws RankFailedException when a PE died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws IllegalStateException when the team or the heap is closed
   */
  public Team splitStrided(int start, int stride, int size) {
    boolean fits = start >= 0 && stride >= 1 && size >= 1 && start + (long) stride * (size - 1) < pes;
    if (!fits) {
      throw new ArgumentException(Reason.RANK,
          "a team of %d PEs from %d on in steps of %d, out of %s, which has PEs 0 to %d".formatted(size, start, stride,
              this, pes - 1));
    }
    shmem.requireOpen("splitStrided");
    int from = pe() - start;
    boolean isIn = from >= 0 && from % stride == 0 && from / stride < size;
    Communicator part = communicator.split(isIn ? 0 : -1, pe());
    return part == null ? null : part(part, start, stride);
  }

  /**
   * The teams of a PE in a grid.
   *
   * @param x of the PEs in its row
   * @param y of the PEs in its column
   */
  public record Grid(Team x, Team y) {}

  /**
   * Makes a grid of the PEs of this team, row by row, and a team of each row and each column; all PEs call it alike.
   *
   * @param width PEs of a row, 1 or more; the last row may have fewer
   * @return the row and the column that this PE is in
   * @throws IllegalArgumentException when the width is below 1
   * @throws RankFailedException when a PE died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws IllegalStateException when the team or the heap is closed
   */
  public Grid split2d(int width) {
    if (width < 1) {
      throw new ArgumentException(Reason.COUNT, "rows of %d PEs; at least 1 is allowed".formatted(width));
    }
    shmem.requireOpen("split2d");
    int columns = Math.min(width, pes);
    Communicator row = communicator.split(pe() / columns, pe());
    Communicator column = communicator.split(pe() % columns, pe());
    return new Grid(part(row, pe() / columns * columns, 1), part(column, pe() % columns, columns));
  }

  /**
   * Makes a context that names PEs by their numbers in this team. It ends with the team at the latest.
   *
   * @param options what the program promises of it
   * @return the context
   * @throws NullPointerException when an option is null
   * @throws IllegalStateException when the team or the heap is closed
   */
  public ShmemContext createContext(ContextOption... options) {
    shmem.requireOpen("createContext");
    requireOpen("createContext");
    return shmem.note(new ShmemContext(shmem, this, shmem.parts().some(first, distance, pes), options));
  }

  private void requireOpen(String call) {
    if (closed) {
      throw new IllegalStateException("%s of %s, which is closed".formatted(call, this));
    }
  }

  // Collectives

  /**
   * Waits until all PEs of the team have come here.
   *
   * @throws RankFailedException when a PE died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits; called again it goes on
   * @throws IllegalStateException when the team or the heap is closed
   */
  public void sync() {
    shmem.requireOpen("sync");
    communicator.barrier();
  }

  /** What the last call was given: a call that is made again makes no objects. */
  private final class Kept {
    private long place;
    private long count;
    private Datatype type; // null: bytes
    private Data data; // null: there was no call

    Data of(long newPlace, long newCount, Datatype newType) {
      if (data == null || newPlace != place || newCount != count || newType != type) {
        data = newType == null ? Data.of(shmem.whole().asSlice(newPlace, newCount))
            : Data.of(shmem.whole().asSlice(newPlace, newCount * newType.size()), 0, newCount, newType);
        place = newPlace;
        count = newCount;
        type = newType;
      }
      return data;
    }
  }

  /** Where bytes of this PE lie in the memory of all. */
  private long place(String call, Symmetric object, long offset, long bytes) {
    shmem.requireOpen(call);
    return shmem.context().placeOf(call, object, offset, bytes, shmem.pe());
  }

  private static long bytes(String call, long elements, long elementBytes) {
    if (elements < 0 || elements > Long.MAX_VALUE / Math.max(1, elementBytes)) {
      throw new ArgumentException(Reason.COUNT,
          "%s of %d elements of %d bytes; there cannot be so many".formatted(call, elements, elementBytes));
    }
    return elements * elementBytes;
  }

  private static boolean isSame(Symmetric to, long toOffset, Symmetric from, long fromOffset) {
    return to == from && toOffset == fromOffset;
  }

  /**
   * Copies bytes of one PE to all, also to itself.
   *
   * @param to where they go
   * @param toOffset in it, in bytes
   * @param from where they lie at the root
   * @param fromOffset in it, in bytes
   * @param bytes how many
   * @param root PE of the team
   * @throws IllegalArgumentException when there is no such PE, or an object is of another heap
   * @throws IndexOutOfBoundsException when an object does not hold the bytes
   * @throws RankFailedException when a PE died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws IllegalStateException when the team or the heap is closed, or an object was freed
   */
  public void broadcast(Symmetric to, long toOffset, Symmetric from, long fromOffset, long bytes, int root) {
    requirePe("broadcast", root);
    long there = place("broadcast", to, toOffset, bytes);
    long here = place("broadcast", from, fromOffset, bytes);
    communicator.bcast(pe() == root ? sources.of(here, bytes, null) : results.of(there, bytes, null), root);
    if (pe() == root && here != there) {
      MemorySegment.copy(shmem.whole(), here, shmem.whole(), there, bytes);
    }
  }

  /**
   * Brings as many bytes of each PE to all, in the order of the PEs ({@code fcollect}).
   *
   * @param to where they go
   * @param toOffset in it, in bytes
   * @param from where they lie
   * @param fromOffset in it, in bytes
   * @param bytes of each PE
   * @throws IllegalArgumentException when an object is of another heap
   * @throws IndexOutOfBoundsException when an object does not hold the bytes
   * @throws RankFailedException when a PE died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws IllegalStateException when the team or the heap is closed, or an object was freed
   */
  public void fcollect(Symmetric to, long toOffset, Symmetric from, long fromOffset, long bytes) {
    long all = bytes("fcollect", pes, bytes);
    communicator.allgather(sources.of(place("fcollect", from, fromOffset, bytes), bytes, null),
        results.of(place("fcollect", to, toOffset, all), all, null));
  }

  /**
   * Brings bytes of each PE to all, in the order of the PEs; each may give another number of them.
   *
   * @param to where they go
   * @param toOffset in it, in bytes
   * @param from where they lie
   * @param fromOffset in it, in bytes
   * @param bytes of this PE, 0 or more
   * @return bytes of all PEs
   * @throws IllegalArgumentException when an object is of another heap
   * @throws IndexOutOfBoundsException when an object does not hold the bytes; at all PEs, when it is that of the result
   * @throws RankFailedException when a PE died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws IllegalStateException when the team or the heap is closed, or an object was freed
   */
  public long collect(Symmetric to, long toOffset, Symmetric from, long fromOffset, long bytes) {
    long here = place("collect", from, fromOffset, bytes);
    given[0] = bytes;
    communicator.allgather(givenData, gatheredData); // behind it all are done with the result
    long before = 0;
    long sum = 0;
    for (int pe = 0; pe < pes; pe++) {
      before += pe < pe() ? gathered[pe] : 0;
      sum = Math.addExact(sum, gathered[pe]);
    }
    place("collect", to, toOffset, sum);
    for (int turn = 0; turn < pes; turn++) { // not all begin with the same
      int pe = number((pe() + turn) % pes);
      MemorySegment.copy(shmem.whole(), here, shmem.whole(),
          shmem.context().placeOf("collect", to, toOffset + before, bytes, pe), bytes);
    }
    communicator.barrier();
    return sum;
  }

  /**
   * Exchanges as many bytes of each PE with each: block j of PE i becomes block i of PE j.
   *
   * @param to where they go
   * @param toOffset in it, in bytes
   * @param from where they lie
   * @param fromOffset in it, in bytes
   * @param bytes of each block
   * @throws IllegalArgumentException when an object is of another heap
   * @throws IndexOutOfBoundsException when an object does not hold the blocks
   * @throws RankFailedException when a PE died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws IllegalStateException when the team or the heap is closed, or an object was freed
   */
  public void alltoall(Symmetric to, long toOffset, Symmetric from, long fromOffset, long bytes) {
    long all = bytes("alltoall", pes, bytes);
    communicator.alltoall(sources.of(place("alltoall", from, fromOffset, all), all, null),
        results.of(place("alltoall", to, toOffset, all), all, null));
  }

  /**
   * Exchanges elements of each PE with each, as {@link #alltoall}; they lie at equal distances at both ends.
   *
   * @param to where they go
   * @param toOffset in it, in bytes
   * @param toStride from one element to the next there, in elements, 1 or more
   * @param from where they lie
   * @param fromOffset in it, in bytes
   * @param fromStride from one element to the next there, in elements, 1 or more
   * @param elementBytes of each, 1 or more
   * @param count elements of each block
   * @throws IllegalArgumentException when an object is of another heap, or a stride or size is below 1
   * @throws IndexOutOfBoundsException when an object does not hold the blocks
   * @throws RankFailedException when a PE died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws IllegalStateException when the team or the heap is closed, or an object was freed
   */
  public void alltoalls(Symmetric to, long toOffset, long toStride, Symmetric from, long fromOffset, long fromStride,
      int elementBytes, long count) {
    if (toStride < 1 || fromStride < 1 || elementBytes < 1) {
      throw new ArgumentException(Reason.COUNT,
          "alltoalls of elements of %d bytes at strides of %d and %d elements; at least 1 is allowed"
              .formatted(elementBytes, toStride, fromStride));
    }
    shmem.requireOpen("alltoalls");
    long blockThere = bytes("alltoalls", count, toStride * elementBytes);
    long blockHere = bytes("alltoalls", count, fromStride * elementBytes);
    if (count > 0) { // behind the last element nothing needs to lie
      place("alltoalls", to, toOffset, bytes("alltoalls", pes, blockThere) - (toStride - 1) * elementBytes);
      place("alltoalls", from, fromOffset, bytes("alltoalls", pes, blockHere) - (fromStride - 1) * elementBytes);
    }
    communicator.barrier(); // all sources are there, and all are done with the results
    MemorySegment whole = shmem.whole();
    for (int turn = 0; count > 0 && turn < pes; turn++) {
      int pe = (pe() + turn) % pes;
      long source = shmem.context().placeOf("alltoalls", from, fromOffset + pe() * blockHere, 0, number(pe));
      long target = shmem.context().placeOf("alltoalls", to, toOffset + pe * blockThere, 0, shmem.pe());
      DirectCopy.copyStrided(whole, source, fromStride * elementBytes, whole, target, toStride * elementBytes,
          elementBytes, count);
    }
    communicator.barrier();
  }

  private Data elements(Kept kept, String call, Symmetric object, long offset, long count, Datatype type) {
    long bytes = bytes(call, count, type.size());
    return kept.of(place(call, object, offset, bytes), count, type);
  }

  private Data operands(String call, Symmetric to, long toOffset, Symmetric from, long fromOffset, long count,
      Datatype type) {
    return isSame(to, toOffset, from, fromOffset) ? Data.IN_PLACE
        : elements(sources, call, from, fromOffset, count, type);
  }

  /**
   * Combines elements of all PEs, in the order of the PEs; all get the result.
   *
   * @param to where it goes
   * @param toOffset in it, in bytes
   * @param from where the operands lie
   * @param fromOffset in it, in bytes
   * @param count elements
   * @param type of each
   * @param op how they are combined
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when an object is of another heap, or the operator has no meaning for the type
   * @throws IndexOutOfBoundsException when an object does not hold the elements
   * @throws RankFailedException when a PE died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws IllegalStateException when the team or the heap is closed, or an object was freed
   */
  public void reduce(Symmetric to, long toOffset, Symmetric from, long fromOffset, long count, Datatype type, Op op) {
    Data result = elements(results, "reduce", to, toOffset, count, type);
    communicator.allreduce(operands("reduce", to, toOffset, from, fromOffset, count, type), result, op);
  }

  /**
   * Combines elements of this PE and all before it, like {@link #reduce}.
   *
   * @param to where the result goes
   * @param toOffset in it, in bytes
   * @param from where the operands lie
   * @param fromOffset in it, in bytes
   * @param count elements
   * @param type of each
   * @param op how they are combined
   * @throws NullPointerException as {@link #reduce}
   * @throws IllegalArgumentException as {@link #reduce}
   * @throws IndexOutOfBoundsException as {@link #reduce}
   * @throws RankFailedException as {@link #reduce}
   * @throws InterruptedWaitException as {@link #reduce}
   * @throws IllegalStateException as {@link #reduce}
   */
  public void inscan(Symmetric to, long toOffset, Symmetric from, long fromOffset, long count, Datatype type, Op op) {
    Data result = elements(results, "inscan", to, toOffset, count, type);
    communicator.scan(operands("inscan", to, toOffset, from, fromOffset, count, type), result, op);
  }

  /**
   * Combines elements of all PEs before this one, like {@link #reduce}; PE 0 gets zeros.
   *
   * @param to where the result goes
   * @param toOffset in it, in bytes
   * @param from where the operands lie
   * @param fromOffset in it, in bytes
   * @param count elements
   * @param type of each
   * @param op how they are combined
   * @throws NullPointerException as {@link #reduce}
   * @throws IllegalArgumentException as {@link #reduce}
   * @throws IndexOutOfBoundsException as {@link #reduce}
   * @throws RankFailedException as {@link #reduce}
   * @throws InterruptedWaitException as {@link #reduce}
   * @throws IllegalStateException as {@link #reduce}
   */
  public void exscan(Symmetric to, long toOffset, Symmetric from, long fromOffset, long count, Datatype type, Op op) {
    Data result = elements(results, "exscan", to, toOffset, count, type);
    communicator.exscan(operands("exscan", to, toOffset, from, fromOffset, count, type), result, op);
    if (pe() == 0) {
      long bytes = bytes("exscan", count, type.size());
      DirectCopy.clear(shmem.whole(), place("exscan", to, toOffset, bytes), bytes);
    }
  }

  /**
   * Ends the team and its contexts; all its PEs call it. That of all PEs ends with the heap.
   *
   * @throws IllegalStateException when it is the team of all PEs, or closed
   */
  @Override
  public void close() {
    if (!ends) {
      throw new IllegalStateException("%s ends with the heap; close that".formatted(this));
    }
    communicator.close();
    closed = true;
    shmem.end(this);
  }

  @Override
  public String toString() {
    return "the team of %d PEs of %s".formatted(pes, shmem);
  }
}
