package io.adrastea.agrona;

import io.adrastea.Communicator;
import io.adrastea.Job;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.ExpandableDirectByteBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Sends and receives Agrona's own buffers of every kind; needs the flag that they need. Says which went well. */
public final class AgronaMain {
  private static final int BYTES = 100;
  private static final Arena ARENA = Arena.global();

  private AgronaMain() {}

  /** Buffers of zeros with at least 100 bytes. */
  private static List<MutableDirectBuffer> buffers() {
    return List.of(
        new UnsafeBuffer(new byte[BYTES]),
        new UnsafeBuffer(new byte[BYTES + 9], 4, BYTES),
        new UnsafeBuffer(ByteBuffer.allocate(BYTES + 9).slice(3, BYTES + 2), 1, BYTES),
        new UnsafeBuffer(ByteBuffer.allocateDirect(BYTES + 9).slice(3, BYTES + 2), 1, BYTES),
        new UnsafeBuffer(ARENA.allocate(BYTES).address(), BYTES),
        new UnsafeBuffer(new UnsafeBuffer(ByteBuffer.allocateDirect(BYTES + 9), 2, BYTES + 4), 3, BYTES),
        new ExpandableArrayBuffer(BYTES),
        new ExpandableDirectByteBuffer(BYTES),
        new SegmentBuffer(ARENA.allocate(BYTES)));
  }

  public static void main(String[] args) {
    List<String> said = new ArrayList<>();
    Job.runThreads(
        2,
        job -> {
          Communicator world = job.world();
          int number = 0;
          for (MutableDirectBuffer buffer : buffers()) {
            number++;
            if (world.rank() == 0) {
              buffer.putInt(10, number);
              buffer.putInt(BYTES - 4, -number);
              world.send(AgronaData.of(buffer, 10, BYTES - 10), 1, number);
            } else {
              world.recv(AgronaData.of(buffer, 5, BYTES - 10), 0, number);
              boolean right =
                  buffer.getInt(5) == number && buffer.getInt(BYTES - 9) == -number && buffer.capacity() == BYTES;
              said.add((right ? "right " : "wrong ") + buffer);
            }
          }
          checkRefusal(world, said);
        });
    said.forEach(System.out::println);
  }

  /** A buffer that could grow does not. */
  private static void checkRefusal(Communicator world, List<String> said) {
    MutableDirectBuffer buffer = new ExpandableArrayBuffer(BYTES);
    try {
      world.recv(AgronaData.of(buffer, 1, BYTES), Communicator.ANY_SOURCE, 0);
    } catch (IndexOutOfBoundsException e) {
      if (world.rank() == 1 && buffer.capacity() == BYTES) {
        said.add("right refusal");
      }
    }
  }
}
