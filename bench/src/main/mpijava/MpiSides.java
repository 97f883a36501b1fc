import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

/**
 * adr_mpi_peer.c in Java, over Open MPI's Java bindings: the same commands, the same answers. Compiled at run time
 * against the mpi.jar that is given. Arguments: none; the launcher pins.
 */
public final class MpiSides {
  private static final int TAG = 2;
  private static final int ACK_TAG = 4;
  private static final int COMMAND_TAG = 9;
  private static final int WINDOW = 64;
  private static final int WINDOW_BYTES = 8 << 20;
  private static final int VERBS = 4;

  private final int rank;
  private final ByteBuffer nothing = MPI.newByteBuffer(1);
  private ByteBuffer outgoing = MPI.newByteBuffer(1);
  private ByteBuffer[] incoming = new ByteBuffer[0];
  private int held = -1;
  private byte seed;

  private MpiSides(int rank) {
    this.rank = rank;
  }

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    new MpiSides(MPI.COMM_WORLD.getRank()).serve();
    MPI.Finalize();
  }

  private void serve() throws Exception {
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    int[] order = new int[4];
    while (next(input, order)) {
      String answer = run(order[0], order[1], order[2], order[3]);
      if (rank == 0) {
        System.out.println(answer);
        System.out.flush();
      }
    }
  }

  /** Rank 0 waits in a read, rank 1 asleep between two looks. */
  private boolean next(BufferedReader input, int[] order) throws Exception {
    if (rank == 0) {
      String line = input.readLine();
      parse(line == null ? "end 0 0 0" : line, order);
      MPI.COMM_WORLD.send(order, 4, MPI.INT, 1, COMMAND_TAG);
    } else {
      while (MPI.COMM_WORLD.iProbe(0, COMMAND_TAG) == null) {
        Thread.sleep(0, 200_000);
      }
      MPI.COMM_WORLD.recv(order, 4, MPI.INT, 0, COMMAND_TAG);
    }
    return order[0] < VERBS;
  }

  private static void parse(String line, int[] order) {
    String[] words = line.split(" ");
    order[0] = java.util.List.of("latency-untouched", "bandwidth-untouched", "rate-untouched", "barrier", "end")
        .indexOf(words[0]);
    for (int word = 1; word < 4; word++) {
      order[word] = Integer.parseInt(words[word]);
    }
  }

  private String run(int verb, int bytes, int batches, int exchanges) throws MPIException {
    prepare(bytes);
    MPI.COMM_WORLD.barrier();
    StringBuilder answer = new StringBuilder("ns");
    for (int batch = 0; batch < batches; batch++) {
      long begin = System.nanoTime();
      exchange(verb, bytes, exchanges);
      answer.append(' ').append(System.nanoTime() - begin);
    }
    verify(bytes);
    return answer.toString();
  }

  private void prepare(int bytes) {
    if (bytes == held) {
      return;
    }
    held = bytes;
    outgoing = MPI.newByteBuffer(Math.max(1, bytes));
    incoming = new ByteBuffer[window(bytes)];
    for (int slot = 0; slot < incoming.length; slot++) {
      incoming[slot] = MPI.newByteBuffer(Math.max(1, bytes));
    }
  }

  private static int window(int bytes) {
    return Math.max(2, Math.min(WINDOW, WINDOW_BYTES / Math.max(1, bytes)));
  }

  private void exchange(int verb, int bytes, int exchanges) throws MPIException {
    if (verb == 0) {
      pingPong(bytes, exchanges);
    } else if (verb == 1) {
      stream(bytes, exchanges);
    } else if (verb == 2) {
      blockingStream(bytes, exchanges);
    } else {
      for (int i = 0; i < exchanges; i++) {
        MPI.COMM_WORLD.barrier();
      }
    }
  }

  private void pingPong(int bytes, int exchanges) throws MPIException {
    for (int i = 0; i < exchanges; i++) {
      if (rank == 0) {
        MPI.COMM_WORLD.send(outgoing, bytes, MPI.BYTE, 1, TAG);
        MPI.COMM_WORLD.recv(incoming[0], bytes, MPI.BYTE, 1, TAG);
      } else {
        MPI.COMM_WORLD.recv(incoming[0], bytes, MPI.BYTE, 0, TAG);
        MPI.COMM_WORLD.send(outgoing, bytes, MPI.BYTE, 0, TAG);
      }
    }
  }

  private void stream(int bytes, int messages) throws MPIException {
    Request[] requests = new Request[incoming.length];
    for (int i = 0; i < messages; i++) {
      int slot = i % requests.length;
      if (requests[slot] != null) {
        requests[slot].waitFor();
      }
      requests[slot] =
          rank == 0
              ? MPI.COMM_WORLD.iSend(outgoing, bytes, MPI.BYTE, 1, TAG)
              : MPI.COMM_WORLD.iRecv(incoming[slot], bytes, MPI.BYTE, 0, TAG);
    }
    for (Request request : requests) {
      if (request != null) {
        request.waitFor();
      }
    }
    acknowledge();
  }

  private void blockingStream(int bytes, int messages) throws MPIException {
    for (int i = 0; i < messages; i++) {
      if (rank == 0) {
        MPI.COMM_WORLD.send(outgoing, bytes, MPI.BYTE, 1, TAG);
      } else {
        MPI.COMM_WORLD.recv(incoming[0], bytes, MPI.BYTE, 0, TAG);
      }
    }
    acknowledge();
  }

  private void acknowledge() throws MPIException {
    if (rank == 0) {
      MPI.COMM_WORLD.recv(nothing, 0, MPI.BYTE, 1, ACK_TAG);
    } else {
      MPI.COMM_WORLD.send(nothing, 0, MPI.BYTE, 0, ACK_TAG);
    }
  }

  private void verify(int bytes) throws MPIException {
    seed++;
    for (int i = 0; i < bytes; i++) {
      outgoing.put(i, seed);
    }
    pingPong(bytes, 1);
    for (int i = 0; i < bytes; i++) {
      if (incoming[0].get(i) != seed) {
        throw new IllegalStateException("a message of " + bytes + " bytes, wrong at " + i);
      }
    }
  }
}
