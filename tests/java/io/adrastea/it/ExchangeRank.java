package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Job;
import io.adrastea.Request;
import io.adrastea.Status;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Two ranks exchange a message of each size, each checking what it gets. Arguments are ways, with commas between them,
 * and the sizes. Ways are {@code blocking} (one after the other, there and back), {@code typed} (the same; each byte of
 * a message lies in a block of its own, in memory that all ranks reach) and {@code nonblocking} (all sizes both ways at
 * once). Prints for each its core and what it checked.
 */
public final class ExchangeRank {
  private static final int FIRST_TAG = 100;

  private final Communicator world;
  private final int peer;
  private final long[] sizes;
  private long checked;

  private ExchangeRank(Communicator world, long[] sizes) {
    this.world = world;
    this.peer = 1 - world.rank();
    this.sizes = sizes;
  }

  public static void main(String[] args) {
    long[] sizes = Stream.of(args).skip(1).mapToLong(Long::parseLong).toArray();
    try (Job job = Job.join()) {
      for (String way : args[0].split(",")) {
        ExchangeRank rank = new ExchangeRank(job.world(), sizes);
        switch (way) {
          case "blocking" -> rank.blocking();
          case "typed" -> rank.typed(job);
          default -> rank.nonblocking();
        }
        System.out.printf("%s on %s checked %d bytes%n", way, job.core(), rank.checked);
      }
    }
  }

  private void blocking() {
    for (int i = 0; i < sizes.length; i++) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment buffer = arena.allocate(sizes[i], Long.BYTES);
        if (world.rank() == 0) {
          send(buffer, i);
          recv(buffer, i);
        } else {
          recv(buffer, i);
          send(buffer, i);
        }
      }
    }
  }

  private void typed(Job job) {
    for (int i = 0; i < sizes.length; i++) {
      MemorySegment memory = job.allocate(2 * sizes[i] + 1, Long.BYTES);
      Datatype everySecond = Datatype.hvector(sizes[i], 1, 2, Datatype.BYTE);
      Data data = Data.of(memory, 0, 1, everySecond);
      MemorySegment contents = MemorySegment.ofArray(new byte[(int) sizes[i]]);
      for (int turn = 0; turn < 2; turn++) {
        if (turn == world.rank()) {
          Filling.write(contents, number(world.rank(), i));
          everySecond.unpack(contents, 0, memory, 0, 1);
          world.send(data, peer, FIRST_TAG + i);
        } else {
          Status status = world.recv(data, peer, FIRST_TAG + i);
          everySecond.pack(memory, 0, 1, contents, 0);
          check(contents, i, status);
        }
      }
      job.free(memory);
    }
  }

  private void send(MemorySegment buffer, int index) {
    Filling.write(buffer, number(world.rank(), index));
    world.send(buffer, peer, FIRST_TAG + index);
  }

  private void recv(MemorySegment buffer, int index) {
    Status status = world.recv(buffer, peer, FIRST_TAG + index);
    check(buffer, index, status);
  }

  /**
   * The receives are posted in the other order than the sends, so some messages come before they are wanted.
   */
  private void nonblocking() {
    try (Arena arena = Arena.ofConfined()) {
      List<MemorySegment> incoming = new ArrayList<>();
      List<Request> requests = new ArrayList<>();
      for (int i = 0; i < sizes.length; i++) {
        MemorySegment outgoing = arena.allocate(sizes[i], Long.BYTES);
        Filling.write(outgoing, number(world.rank(), i));
        requests.add(world.isend(outgoing, peer, FIRST_TAG + i));
        incoming.add(arena.allocate(sizes[i], Long.BYTES));
      }
      List<Request> receives = new ArrayList<>();
      for (int i = sizes.length - 1; i >= 0; i--) {
        receives.add(0, world.irecv(incoming.get(i), peer, FIRST_TAG + i));
      }
      for (int i = 0; i < sizes.length; i++) {
        check(incoming.get(i), i, receives.get(i).await());
      }
      Request.waitAll(requests.toArray(Request[]::new));
    }
  }

  private void check(MemorySegment buffer, int index, Status status) {
    String what = "message %d from rank %d".formatted(index, peer);
    if (status.bytes() != sizes[index]
        || status.source() != peer
        || status.tag() != FIRST_TAG + index) {
      throw new IllegalStateException(what + " came as " + status);
    }
    Filling.check(buffer, number(peer, index), what);
    checked += status.bytes();
  }

  private static long number(int sender, int index) {
    return sender * 1_000_003L + index;
  }
}
