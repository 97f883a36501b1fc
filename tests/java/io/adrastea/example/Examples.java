package io.adrastea.example;

import io.adrastea.Burst;
import io.adrastea.CartesianTopology;
import io.adrastea.Claim;
import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.GraphTopology;
import io.adrastea.Intercommunicator;
import io.adrastea.IoVector;
import io.adrastea.Job;
import io.adrastea.Message;
import io.adrastea.MessageHandler;
import io.adrastea.Op;
import io.adrastea.Request;
import io.adrastea.StartedDup;
import io.adrastea.Status;
import io.adrastea.rma.Epoch;
import io.adrastea.rma.Window;
import io.adrastea.shmem.Comparison;
import io.adrastea.shmem.Shmem;
import io.adrastea.shmem.ShmemContext;
import io.adrastea.shmem.SignalOp;
import io.adrastea.shmem.Symmetric;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;

/** The examples that pages of Javadoc show. */
final class Examples {
  private static final int TAG = 7;

  private Examples() {}

  // @start region = "job"
  public static void main(String[] args) throws Exception {
    Job.run(Examples::greet); // started by: adrastea run -n 3 java …
  }

  static void greet(Job job) {
    Communicator world = job.world();
    System.out.printf("rank %d of %d%n", world.rank(), world.size());
    world.barrier();
  }

  // @end

  static void data(Communicator world, MemorySegment memory) {
    // @start region = "data"
    double[] field = new double[1000];
    Data column = Data.of(field, 10, 20); // 20 elements from the tenth on
    world.send(column, 1, TAG);
    world.send(column.part(0, 5), 1, TAG); // the first five of them
    world.recv(Data.of(memory, 64, 160), 1, TAG); // 160 bytes
    IoVector parts = new IoVector().add(column).add(memory);
    world.send(Data.of(parts), 1, TAG); // one message of several pieces
    // @end
  }

  static void datatypes(double[] matrix, int rows, int columns, byte[] packed) {
    // @start region = "datatypes"
    Datatype column = Datatype.vector(rows, 1, columns, Datatype.DOUBLE); // of a matrix, row by row in memory
    Datatype border = column.resized(0, Double.BYTES); // the next element is the next column
    border.pack(MemorySegment.ofArray(matrix), 0, 2, MemorySegment.ofArray(packed), 0); // the first two columns
    // @end
  }

  static void burst(Communicator world, Data price, Data volume) {
    // @start region = "burst"
    try (Burst burst = world.burst(1)) {
      burst.send(price, TAG);
      burst.send(volume, TAG); // both leave when the burst is closed
    }
    // @end
  }

  static long vector(Communicator world, MemorySegment header, double[] values) {
    // @start region = "vector"
    Data message = Data.of(new IoVector().add(header).add(Data.of(values, 0, 10)));
    if (world.rank() == 0) {
      world.send(message, 1, TAG); // the header and ten values, as one message
      return 0;
    }
    return world.recv(message, 0, TAG).bytes(); // each in its place
    // @end
  }

  static double total(Communicator world) {
    // @start region = "communicator"
    double[] data = {world.rank()};
    if (world.rank() > 0) {
      world.send(Data.of(data), 0, TAG);
      return data[0];
    }
    double sum = 0;
    for (int count = 1; count < world.size(); count++) { // whoever comes first
      Status status = world.recv(Data.of(data), Communicator.ANY_SOURCE, TAG);
      System.out.println(status); // 8 bytes from rank 1 with tag 7
      sum += data[0];
    }
    // @end
    return sum;
  }

  static void duplicate(Communicator world) {
    // @start region = "idup"
    StartedDup<Communicator> started = world.idup();
    // ... what needs no communicator ...
    started.request().await();
    try (Communicator mine = started.communicator()) {
      mine.barrier();
    }
    // @end
  }

  static void cartesian(Communicator world, Data edge, Data halo) {
    // @start region = "cartesian"
    int[] dims = CartesianTopology.balancedDims(world.size(), 0, 0);
    try (CartesianTopology grid = CartesianTopology.of(world, dims, new boolean[] {true, false}, true)) {
      CartesianTopology.Shift down = grid.shift(0, 1); // the ranks that have the next row and the one before
      grid.communicator().sendrecv(edge, down.destination(), TAG, halo, down.source(), TAG);
    }
    // @end
  }

  static void graph(Communicator world) {
    // @start region = "graph"
    int[] everybody = IntStream.range(0, world.size()).toArray();
    int[] first = {0};
    try (GraphTopology star = world.rank() == 0 // the first rank with all, itself included
        ? GraphTopology.adjacent(world, everybody, everybody)
        : GraphTopology.adjacent(world, first, first)) {
      System.out.println(star); // graph, from [0], to [0] in ...
    }
    // @end
  }

  static long bytesOfAll(Communicator world) {
    // @start region = "request"
    byte[][] parts = new byte[world.size()][100];
    Request[] posted = new Request[world.size()];
    for (int rank = 0; rank < world.size(); rank++) {
      posted[rank] = world.irecv(Data.of(parts[rank], 0, 100), rank, TAG);
      world.isend(Data.of(new byte[10]), rank, TAG).await();
    }
    long bytes = 0;
    Request[] open = posted.clone(); // those that are reported leave it
    for (int rank = Request.waitAny(open); rank >= 0; rank = Request.waitAny(open)) {
      bytes += posted[rank].status().bytes();
    }
    // @end
    return bytes;
  }

  static void inPlace(Communicator world, int destination) {
    // @start region = "claim"
    try (Claim claim = world.claim(destination, TAG, 24)) { // given back if something is thrown
      claim.putLong(0, 42);
      claim.commit();
    }
    // @end
  }

  static long eventLoop(Communicator world, int messages) {
    // @start region = "poll"
    long[] sum = new long[1];
    MessageHandler add = message -> sum[0] += message.getLong(0); // made once: nothing is made per message
    for (int left = messages; left > 0;) {
      int taken = world.poll(add, 64);
      left -= taken;
      if (taken == 0) {
        Thread.onSpinWait(); // or other work
      }
    }
    // @end
    return sum[0];
  }

  static double serverAndClients(Communicator world, boolean serves) {
    // @start region = "intercommunicator"
    int other = serves ? 1 : 0; // rank 0 serves, the others are its clients
    double[] value = {world.rank()};
    try (Communicator group = world.split(serves ? 0 : 1, 0);
        Intercommunicator inter = Intercommunicator.create(group, 0, world, other, TAG)) {
      if (serves) {
        for (int left = inter.remoteSize(); left > 0; left--) {
          int client = inter.recv(Data.of(value), Communicator.ANY_SOURCE, TAG).source(); // its number there
          inter.send(Data.of(new double[] {value[0] * value[0]}), client, TAG);
        }
      } else {
        inter.sendrecv(Data.of(value.clone()), 0, TAG, Data.of(value), 0, TAG);
      }
    }
    // @end
    return value[0];
  }

  static double[] ofAnyLength(Communicator world) {
    // @start region = "message"
    Message message = world.mprobe(Communicator.ANY_SOURCE, TAG); // nobody else gets it now
    double[] values = new double[(int) (message.bytes() / Double.BYTES)];
    message.recv(Data.of(values)); // or message.await(), to read it where it lies, and message.release()
    // @end
    return values;
  }

  static long window(Communicator world) {
    // @start region = "window"
    try (Window window = Window.allocate(world, 100 * Long.BYTES, Long.BYTES)) { // 100 long numbers of each rank
      int next = (world.rank() + 1) % world.size();
      try (Epoch _ = window.lock(next, false)) { // the other rank calls nothing
        window.put(Data.of(new long[] {15, 25}), next, 4); // to its numbers 4 and 5
      }
      try (Epoch _ = window.lockAll()) {
        window.fetchAndOp(1L, 0, 0, Op.SUM); // all ranks count in number 0 of rank 0
      }
      window.fence(); // all ranks have come
      return window.fetchAndOp(0L, 0, 0, Op.NO_OP);
    }
    // @end
  }

  static long shmem(Job job) {
    // @start region = "shmem"
    try (Shmem shmem = Shmem.of(job, 1 << 20)) { // 1 MiB in each PE
      ShmemContext context = shmem.context();
      Symmetric data = shmem.allocate(1000); // at the same place in all PEs
      Symmetric signal = shmem.allocate(Long.BYTES);
      int next = (shmem.pe() + 1) % shmem.pes();
      context.putSignal(data, 0, Data.of(new long[] {15, 25}), signal, 0, 1, SignalOp.SET, next);
      shmem.waits().waitUntilLong(signal, 0, Comparison.EQ, 1); // the PE before has put its data here
      return context.fetchAddLong(data, 8, 1, shmem.pe());
    }
    // @end
  }
}
