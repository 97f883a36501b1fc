import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.util.List;
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
  private static final List<String> VERBS = List.of("latency", "bandwidth", "rate", "barrier");
  private static final String UNTOUCHED = "-untouched";
  private static final int LINE = 64; // these four as in adr_touch.h
  private static final int WHOLE = 256;
  private static final int BUFFERS = 4;
  private static final long BUFFER_BYTES = 64L << 20;

  private final int rank;
  private final ByteBuffer nothing = MPI.newByteBuffer(1);
  private ByteBuffer[] outgoing = new ByteBuffer[0]; // messages take turns in these
  private ByteBuffer[] incoming = new ByteBuffer[0];
  private int held = -1;
  private int sent; // the turn of the next one that is sent or posted
  private int received;
  private boolean touches;
  private long written; // numbers of messages
  private long read;
  private long sum;
  private byte tail;
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
    int[] order = new int[5];
    while (next(input, order)) {
      touches = order[4] != 0;
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
      MPI.COMM_WORLD.send(order, order.length, MPI.INT, 1, COMMAND_TAG);
    } else {
      while (MPI.COMM_WORLD.iProbe(0, COMMAND_TAG) == null) {
        Thread.sleep(0, 200_000);
      }
      MPI.COMM_WORLD.recv(order, order.length, MPI.INT, 0, COMMAND_TAG);
    }
    return order[0] < VERBS.size();
  }

  private static void parse(String line, int[] order) {
    String[] words = line.split(" ");
    order[0] = words[0].equals("end") ? VERBS.size() : VERBS.indexOf(words[0].replace(UNTOUCHED, ""));
    order[4] = words[0].endsWith(UNTOUCHED) ? 0 : 1;
    for (int word = 1; word < 4; word++) {
      order[word] = Integer.parseInt(words[word]);
    }
  }

  private String run(int verb, int bytes, int batches, int exchanges) throws MPIException {
    prepare(bytes);
    written = 0;
    read = 0;
    MPI.COMM_WORLD.barrier();
    StringBuilder answer = new StringBuilder("ns");
    for (int batch = 0; batch < batches; batch++) {
      long begin = System.nanoTime();
      exchange(verb, bytes, exchanges);
      answer.append(' ').append(System.nanoTime() - begin);
      check(bytes);
    }
    touches = false;
    verify(bytes);
    return answer.toString();
  }

  private void prepare(int bytes) {
    sent = 0;
    received = 0;
    if (bytes == held) {
      return;
    }
    held = bytes;
    outgoing = buffers(bytes);
    incoming = buffers(bytes);
  }

  private static ByteBuffer[] buffers(int bytes) {
    long room = BUFFER_BYTES / Math.max(LINE, bytes);
    ByteBuffer[] buffers = new ByteBuffer[Math.max(window(bytes), (int) Math.max(1, Math.min(BUFFERS, room)))];
    for (int turn = 0; turn < buffers.length; turn++) {
      buffers[turn] = MPI.newByteBuffer(Math.max(1, bytes));
    }
    return buffers;
  }

  /** Each message holds other words than the one before. */
  private ByteBuffer write(int bytes) {
    ByteBuffer message = outgoing[sent];
    sent = sent + 1 == outgoing.length ? 0 : sent + 1;
    if (touches) {
      written++;
      int at = 0;
      for (int step = step(bytes); at + Long.BYTES <= bytes; at += step) {
        message.putLong(at, written + at);
      }
      for (; bytes <= WHOLE && at < bytes; at++) {
        message.put(at, (byte) (written + at));
      }
    }
    return message;
  }

  private void read(ByteBuffer message, int bytes) {
    if (touches) {
      read++;
      int at = 0;
      for (int step = step(bytes); at + Long.BYTES <= bytes; at += step) {
        sum += message.getLong(at) - read - at;
      }
      for (; bytes <= WHOLE && at < bytes; at++) {
        tail = message.get(at);
      }
    }
  }

  private static int step(int bytes) {
    return bytes <= WHOLE ? Long.BYTES : LINE;
  }

  private void check(int bytes) {
    if (sum != 0) {
      throw new IllegalStateException("messages of " + bytes + " bytes were not read as they were written");
    }
  }

  private ByteBuffer nextIncoming() {
    ByteBuffer message = incoming[received];
    received = received + 1 == incoming.length ? 0 : received + 1;
    return message;
  }

  private void send(int bytes, int destination) throws MPIException {
    MPI.COMM_WORLD.send(write(bytes), bytes, MPI.BYTE, destination, TAG);
  }

  private void receive(int bytes, int source) throws MPIException {
    ByteBuffer message = nextIncoming();
    MPI.COMM_WORLD.recv(message, bytes, MPI.BYTE, source, TAG);
    read(message, bytes);
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
        send(bytes, 1);
        receive(bytes, 1);
      } else {
        receive(bytes, 0);
        send(bytes, 0);
      }
    }
  }

  private void stream(int bytes, int messages) throws MPIException {
    Request[] requests = new Request[window(bytes)];
    for (int i = 0; i < messages; i++) {
      int slot = i % requests.length;
      if (i >= requests.length) {
        await(requests[slot], bytes);
      }
      requests[slot] = rank == 0 ? MPI.COMM_WORLD.iSend(write(bytes), bytes, MPI.BYTE, 1, TAG) : post(bytes);
    }
    for (int i = Math.max(0, messages - requests.length); i < messages; i++) {
      await(requests[i % requests.length], bytes);
    }
    acknowledge();
  }

  private Request post(int bytes) throws MPIException {
    ByteBuffer message = incoming[sent];
    sent = sent + 1 == incoming.length ? 0 : sent + 1;
    return MPI.COMM_WORLD.iRecv(message, bytes, MPI.BYTE, 0, TAG);
  }

  private void await(Request request, int bytes) throws MPIException {
    request.waitFor();
    if (rank == 1) {
      read(nextIncoming(), bytes);
    }
  }

  private void blockingStream(int bytes, int messages) throws MPIException {
    for (int i = 0; i < messages; i++) {
      if (rank == 0) {
        send(bytes, 1);
      } else {
        receive(bytes, 0);
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
    sent = 0;
    received = 0;
    for (int i = 0; i < bytes; i++) {
      outgoing[0].put(i, seed);
    }
    pingPong(bytes, 1);
    for (int i = 0; i < bytes; i++) {
      if (incoming[0].get(i) != seed) {
        throw new IllegalStateException("a message of " + bytes + " bytes, wrong at " + i);
      }
    }
  }
}
