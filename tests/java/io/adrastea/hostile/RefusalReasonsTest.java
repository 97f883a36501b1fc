package io.adrastea.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.CartesianTopology;
import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.GraphTopology;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Status;
import io.adrastea.agrona.SegmentBuffer;
import io.adrastea.config.Tunable;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.ArgumentException;
import io.adrastea.topology.Cpus;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A program can tell which kind of argument a call has refused, without reading the message. */
class RefusalReasonsTest {
  private static final int TAG = 3;

  private static void tells(Reason reason, Runnable call) {
    RuntimeException e = assertThrows(RuntimeException.class, call::run);
    assertEquals(reason, Reason.of(e), () -> "reason of " + e);
    ArgumentException refusal = assertInstanceOf(ArgumentException.class, e);
    assertSame(reason, refusal.reason());
  }

  @Test
  void ofMessages() throws Exception {
    Ranks.run("java", 1, job -> {
      Communicator world = job.world();
      Data data = Data.of(new int[2]);
      tells(Reason.RANK, () -> world.send(data, 1, TAG));
      tells(Reason.RANK, () -> world.irecv(data, -7, TAG));
      tells(Reason.RANK, () -> world.claim(Communicator.NO_RANK, TAG, 8));
      tells(Reason.RANK, () -> world.jobRank(1));
      tells(Reason.TAG, () -> world.send(data, 0, -2));
      tells(Reason.TAG, () -> world.probe(0, -2));
      tells(Reason.COUNT, () -> world.claim(0, TAG, 1 << 30));
      tells(Reason.COUNT, () -> world.poll(message -> {}, 0));
      tells(Reason.BUFFER, () -> world.recv(Data.of(MemorySegment.ofArray(new byte[1]).asReadOnly()), 0, TAG));
      tells(Reason.BUFFER, () -> world.send(Data.IN_PLACE, 0, TAG));
      tells(Reason.BUFFER, () -> world.send(Data.parts(data, data), 0, TAG));
      tells(Reason.TYPE, () -> world.recv(Data.of(new int[9], 0, 1, Datatype.vector(2, 1, 0, Datatype.INT)), 0, TAG));
    });
  }

  @Test
  void ofCollectivesAndGroups() throws Exception {
    Ranks.run("java", 1, job -> {
      Communicator world = job.world();
      Data two = Data.of(new int[2]);
      tells(Reason.ROOT, () -> world.bcast(two, 1));
      tells(Reason.OP, () -> world.allreduce(two, Op.MINLOC));
      tells(Reason.OP, () -> world.allreduce(two, Op.NO_OP));
      tells(Reason.COUNT, () -> world.allreduce(two, Data.of(new int[3]), Op.SUM));
      tells(Reason.TYPE, () -> world.allreduce(two, Data.of(new float[2]), Op.SUM));
      tells(Reason.COUNT, () -> world.allgather(two, Data.of(new int[3])));
      tells(Reason.COUNT, () -> world.allgather(two, Data.parts(two, two)));
      tells(Reason.COLOR, () -> world.split(-5, 0));
      tells(Reason.RANK, () -> world.group().jobRank(1));
      tells(Reason.RANK, () -> world.group().incl(0, 0));
      tells(Reason.TOPOLOGY, () -> CartesianTopology.of(world, new int[] {2}, new boolean[1], false));
      tells(Reason.TOPOLOGY, () -> CartesianTopology.balancedDims(5, 2, 0));
      tells(Reason.TOPOLOGY, () -> GraphTopology.whole(world, new int[] {1}, new int[0], false));
      tells(Reason.RANK, () -> GraphTopology.adjacent(world, new int[] {1}, new int[0]));
    });
  }

  @Test
  void ofDataAndDatatypes() {
    tells(Reason.COUNT, () -> Datatype.contiguous(-1, Datatype.INT));
    tells(Reason.COUNT, () -> Data.of(new int[1], 0, -1, Datatype.INT));
    tells(Reason.COUNT, () -> Data.parts(Data.EMPTY, new int[1], new int[2]));
    tells(Reason.TYPE, () -> Datatype.contiguous(Long.MAX_VALUE, Datatype.INT));
    tells(Reason.TYPE, () -> Datatype.of(ValueLayout.ADDRESS));
    tells(Reason.TYPE, () -> Data.of(new int[1], 0, 1, Datatype.FLOAT));
    ByteOrder foreign =
        ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    tells(Reason.BUFFER, () -> Data.of(ByteBuffer.allocate(8).order(foreign).asIntBuffer()));
  }

  @Test
  void ofRequestsAndSharedMemory() throws Exception {
    Ranks.run("java", 1, job -> {
      Communicator world = job.world();
      Data data = Data.of(new int[2]);
      Request prepared = world.persistent().barrier();
      tells(Reason.REQUEST, () -> world.isend(data, 0, TAG, prepared));
      tells(Reason.COUNT, () -> Request.waitAll(new Request[1], new Status[0]));
      tells(Reason.COUNT, () -> Request.testSome(new Request[1], new int[0]));
      tells(Reason.COUNT, () -> job.allocate(0, 8));
      tells(Reason.OTHER, () -> job.allocate(8, 3));
      tells(Reason.BUFFER, () -> job.free(MemorySegment.ofArray(new byte[8])));
      tells(Reason.BUFFER, () -> job.offset(MemorySegment.ofArray(new byte[8])));
      tells(Reason.RANK, () -> job.shared(1, 0, 8));
      tells(Reason.COUNT, () -> job.shared(0, 0, 0));
      tells(Reason.BUFFER, () -> job.shared(0, 0, 8));
      tells(Reason.RANK, () -> job.cpus(1));
      tells(Reason.OTHER, () -> job.abort(0));
    });
  }

  @Test
  void ofTopologiesBuffersAndSettings() {
    tells(Reason.OTHER, () -> Cpus.of(-1));
    tells(Reason.OTHER, () -> Cpus.parse("3-1"));
    tells(Reason.COUNT, () -> new SegmentBuffer(MemorySegment.ofAddress(64).reinterpret(1L << 40)));
    tells(Reason.SETTING, () -> Tunable.CELL_BYTES.require("many", "a test"));
  }

  /** The packages that a program sees, and those whose calls check what it gave. */
  @Test
  void areInEachRefusalOfAnArgument() throws IOException {
    Path sources = Path.of(System.getProperty("adrastea.root"), "java/transport/src/main/java/io/adrastea");
    for (String room : List.of("", "agrona", "error", "launch", "topology", "shared", "config", "bootstrap")) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(sources.resolve(room), "*.java")) {
        for (Path file : files) {
          assertFalse(Files.readString(file).contains("new IllegalArgumentException("),
              () -> file + " refuses an argument without a reason: throw an ArgumentException");
        }
      }
    }
  }

  @Test
  void ofExceptionsOfTheJdk() {
    RuntimeException missing = assertThrows(NullPointerException.class, () -> Data.of((int[]) null));
    assertEquals(Reason.MISSING, Reason.of(missing));
    RuntimeException outside = assertThrows(IndexOutOfBoundsException.class, () -> Data.of(new int[2], 1, 2));
    assertEquals(Reason.COUNT, Reason.of(outside));
    assertEquals(Reason.OTHER, Reason.of(new IllegalArgumentException("some other argument")));
    assertNull(Reason.of(new IllegalStateException("the job was left")));
    assertThrows(NullPointerException.class, () -> Reason.of(null));
  }
}
