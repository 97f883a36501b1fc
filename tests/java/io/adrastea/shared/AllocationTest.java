package io.adrastea.shared;

import static io.adrastea.Garbage.BATCH;
import static io.adrastea.Garbage.each;
import static io.adrastea.Garbage.eachAnswered;
import static io.adrastea.Garbage.memory;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.EverySharedCoreList;
import io.adrastea.Garbage;
import io.adrastea.Job;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.SendBuffer;
import io.adrastea.Settings;
import io.adrastea.Status;
import io.adrastea.agrona.Agrona;
import io.adrastea.agrona.GivenBuffer;
import io.adrastea.agrona.SegmentBuffer;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** No garbage per message once warm, on either side. */
@Tag("spins")
@EverySharedCoreList
class AllocationTest {
  private static final int LARGE = 70_000; // by rendezvous whatever the memory

  @Parameter
  String cores;

  private void check(
      Function<Communicator, Runnable> sender, Function<Communicator, Runnable> receiver)
      throws Exception {
    Garbage.check(cores, sender, receiver);
  }

  private void checkMemory(int bytes) throws Exception {
    MemorySegment out = memory(bytes);
    MemorySegment in = memory(bytes);
    check(
        world -> each(i -> world.send(out, 1, 0)),
        world -> each(i -> world.recv(in, Communicator.ANY_SOURCE, 0)));
  }

  @Test
  void isMadeByNoSegment() throws Exception {
    checkMemory(64);
  }

  @Test
  void isMadeByNoMessageWhoseTypesAreChecked() throws Exception {
    Settings.with(Map.of("adrastea.check", "types"), () -> {
      Data out = Data.of(new double[8]);
      Data in = Data.of(new double[8]);
      check(world -> each(i -> world.send(out, 1, 0)), world -> each(i -> world.recv(in, 0, 0)));
      Data spread = Data.of(new double[16], 0, 8, Datatype.DOUBLE.resized(0, 16));
      check(world -> each(i -> world.send(spread, 1, 0)), world -> each(i -> world.recv(in, 0, 0)));
      return null;
    });
  }

  @Test
  void isMadeByNoMessageOfSeveralCells() throws Exception {
    checkMemory(Ranks.CELL_BYTES + 1);
  }

  @Test
  void isMadeByNoLargeSegment() throws Exception {
    checkLarge(job -> memory(LARGE), job -> memory(LARGE)); // both copy
  }

  @Test
  void isMadeByNoLargeArray() throws Exception {
    checkLarge(job -> heap(), job -> heap()); // through the copy ring
    checkLarge(job -> memory(LARGE), job -> heap());
    checkLarge(job -> heap(), job -> memory(LARGE));
  }

  @Test
  void isMadeByNoLargeSharedAllocation() throws Exception {
    checkLarge(job -> job.allocate(LARGE, 64), job -> job.allocate(LARGE, 64));
  }

  private static MemorySegment heap() {
    return MemorySegment.ofArray(new byte[LARGE]);
  }

  private void checkLarge(Function<Job, MemorySegment> out, Function<Job, MemorySegment> in) throws Exception {
    Garbage.checkJobs(
        cores,
        Garbage.LARGE_MESSAGES,
        job -> {
          MemorySegment memory = out.apply(job);
          return each(i -> Ranks.world(job).send(memory, 1, 0));
        },
        job -> {
          MemorySegment memory = in.apply(job);
          return each(i -> Ranks.world(job).recv(memory, 0, 0));
        });
  }

  /** Doubles of which every other one is sent. */
  private static Data typed(Object memory, int bytes) {
    Datatype type = Datatype.vector(bytes / 8, 1, 2, Datatype.DOUBLE);
    return memory instanceof double[] array ? Data.of(array, 0, 1, type) : Data.of((MemorySegment) memory, 0, 1, type);
  }

  private void checkTyped(int bytes, int messages) throws Exception {
    Data outOfMemory = typed(memory(2 * bytes), bytes);
    Data intoMemory = typed(memory(2 * bytes), bytes);
    Data outOfArray = typed(new double[bytes / 4], bytes);
    Data intoArray = typed(new double[bytes / 4], bytes);
    Garbage.check(
        cores, messages,
        world -> each(i -> world.send(i % 2 == 0 ? outOfMemory : outOfArray, 1, 0)),
        world -> each(i -> world.recv(i % 4 < 2 ? intoMemory : intoArray, 0, 0)));
  }

  @Test
  void isMadeByNoDatatype() throws Exception {
    checkTyped(64, Garbage.MESSAGES);
  }

  @Test
  void isMadeByNoDatatypeInSeveralCells() throws Exception {
    checkTyped(Ranks.CELL_BYTES + 64, Garbage.MESSAGES / 4);
  }

  @Test
  void isMadeByNoLargeDatatype() throws Exception {
    checkTyped(LARGE / 16 * 16, Garbage.LARGE_MESSAGES / 2);
  }

  @Test
  void isMadeByNoSynchronousSend() throws Exception {
    Data out = Data.of(memory(64));
    Data in = Data.of(memory(64));
    check(world -> each(i -> world.ssend(out, 1, 0)), world -> each(i -> world.recv(in, 0, 0)));
  }

  @Test
  void isMadeByNoBufferedSend() throws Exception {
    SendBuffer buffer = new SendBuffer(BATCH * (64 + SendBuffer.OVERHEAD));
    Data out = Data.of(new double[8]);
    Data in = Data.of(memory(64));
    check(
        world -> eachAnswered(world, i -> buffer.bsend(world, out, 1, 0)),
        world -> eachAnswered(world, i -> world.recv(in, 0, 0)));
    SendBuffer large = new SendBuffer(LARGE);
    Data outOfMemory = Data.of(memory(LARGE));
    Data intoMemory = Data.of(memory(LARGE));
    Garbage.check(
        cores,
        Garbage.LARGE_MESSAGES,
        world -> each(i -> {
          large.bsend(world, outOfMemory, 1, 0);
          large.flush();
        }),
        world -> each(i -> world.recv(intoMemory, 0, 0)));
  }

  @Test
  void isMadeByNoMatchedProbe() throws Exception {
    Data out = Data.of(memory(64));
    Data in = Data.of(memory(64));
    check(world -> each(i -> world.send(out, 1, 0)), world -> each(i -> world.mprobe(0, 0).recv(in)));
  }

  /** Lists that are searched long are indexed. Each tag has a request of its own, which keeps its status. */
  @Test
  void isMadeByNoUnexpectedMessageInTheReverseOrder() throws Exception {
    MemorySegment out = memory(64);
    MemorySegment in = memory(64);
    Request[] receives = Stream.generate(Request::new).limit(BATCH).toArray(Request[]::new);
    check(
        world -> eachAnswered(world, i -> world.send(out, 1, i)),
        world -> eachAnswered(world, i -> {
          world.irecv(in, i % 2 == 0 ? 0 : Communicator.ANY_SOURCE, BATCH - 1 - i, receives[i]);
          receives[i].await();
        }));
  }

  @Test
  void isMadeByNoPostedReceiveInTheReverseOrder() throws Exception {
    MemorySegment out = memory(64);
    MemorySegment in = memory(64);
    MemorySegment none = memory(1);
    Request[] receives = Stream.generate(Request::new).limit(BATCH).toArray(Request[]::new);
    check(
        world -> () -> {
          world.recv(none, 1, BATCH);
          each(i -> world.send(out, 1, BATCH - 1 - i)).run();
        },
        world -> () -> {
          each(i -> world.irecv(in, i % 2 == 0 ? 0 : Communicator.ANY_SOURCE, i, receives[i])).run();
          world.send(none, 0, BATCH);
          each(i -> receives[i].await()).run();
        });
  }

  @Test
  void isMadeByNoArray() throws Exception {
    Data out = Data.of(new double[16], 4, 8);
    Data in = Data.of(new byte[64]);
    check(
        world -> each(i -> world.send(out, 1, 0)),
        world -> each(i -> world.recv(in, 0, Communicator.ANY_TAG)));
  }

  @Test
  void isMadeByNoneOfADozenArraysInTurn() throws Exception {
    Data[] out = Stream.generate(() -> Data.of(new long[4])).limit(12).toArray(Data[]::new);
    Data[] in = Stream.generate(() -> Data.of(new short[16])).limit(12).toArray(Data[]::new);
    check(
        world -> each(i -> world.send(out[i % 12], 1, 0)),
        world -> each(i -> world.recv(in[i % 12], 0, 0)));
  }

  @Test
  void isMadeByNoSliceOfAnArrayOfAnyKind() throws Exception {
    Data bytes = Data.of(new byte[128]);
    Data shorts = Data.of(new short[64]);
    Data chars = Data.of(new char[64]);
    Data ints = Data.of(new int[32]);
    Data longs = Data.of(new long[16]);
    Data floats = Data.of(new float[32]);
    Data doubles = Data.of(new double[16]);
    Request send = new Request();
    Request receive = new Request();
    check(
        world -> each(i -> {
          switch (i % 8) {
            case 0 -> world.send(bytes, 32, 64, 1, 0);
            case 1 -> world.send(shorts, 16, 32, 1, 0);
            case 2 -> world.send(chars, 16, 32, 1, 0);
            case 3 -> world.send(ints, 8, 16, 1, 0);
            case 4 -> world.send(longs, 4, 8, 1, 0);
            case 5 -> world.send(floats, 8, 16, 1, 0);
            case 6 -> world.send(doubles, 4, 8, 1, 0);
            default -> world.isend(doubles, 4, 8, 1, 0, send).await();
          }
        }),
        world -> each(i -> {
          switch (i % 8) {
            case 0 -> world.recv(doubles, 3, 8, 0, 0);
            case 1 -> world.recv(floats, 3, 16, 0, 0);
            case 2 -> world.recv(longs, 3, 8, 0, 0);
            case 3 -> world.recv(ints, 3, 16, 0, 0);
            case 4 -> world.recv(chars, 3, 32, 0, 0);
            case 5 -> world.recv(shorts, 3, 32, 0, 0);
            case 6 -> world.recv(bytes, 3, 64, 0, 0);
            default -> world.irecv(bytes, 3, 64, 0, 0, receive).await();
          }
        }));
  }

  @Test
  void isMadeByNoByteBuffer() throws Exception {
    Data out = Data.of(ByteBuffer.allocateDirect(64));
    Data in = Data.of(ByteBuffer.allocate(64));
    check(world -> each(i -> world.send(out, 1, 0)), world -> each(i -> world.recv(in, 0, 0)));
  }

  @Test
  void isMadeByNoBufferOfAgrona() throws Exception {
    checkBuffers(new SegmentBuffer(memory(64)), new SegmentBuffer(memory(64)));
  }

  @Test
  void isMadeByNoLargeBufferOfAgronaOverASegment() throws Exception {
    checkBuffers(new SegmentBuffer(memory(1 << 20)), new SegmentBuffer(memory(1 << 20)));
  }

  @Test
  void isMadeByNoBufferOfAgronaOverSomethingElse() throws Exception {
    checkBuffers(GivenBuffer.over(new byte[64], 8, 56), GivenBuffer.over(ByteBuffer.allocateDirect(64), 8, 56));
    checkBuffers(GivenBuffer.at(memory(64)), GivenBuffer.at(memory(64)));
  }

  @Test
  void isMadeByNoSmallMessageOfALargeArrayOrBuffer() throws Exception {
    ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
    checkBuffers(GivenBuffer.over(new byte[1 << 20], 8, 56), GivenBuffer.over(buffer, 8, 56));
  }

  private void checkBuffers(DirectBuffer out, MutableDirectBuffer in) throws Exception {
    MemorySegment from = Agrona.memory(out, 8, 40);
    MemorySegment into = Agrona.memory(in, 0, 56);
    check(world -> each(i -> world.send(from, 1, 0)), world -> each(i -> world.recv(into, 0, 0)));
  }

  @Test
  void isMadeByNoRequestOfTheCallers() throws Exception {
    MemorySegment out = memory(64);
    Data in = Data.of(new int[16]);
    check(
        world -> {
          Request first = new Request();
          Request second = new Request();
          return each(
              i -> {
                world.isend(out, 1, 0, first);
                world.isend(out, 1, 1, second);
                second.await();
                first.await();
              });
        },
        world -> {
          Request first = new Request();
          Request second = new Request();
          return each(
              i -> {
                world.irecv(in, 0, 1, second);
                world.irecv(in, 0, 0, first).await();
                while (!second.test()) {
                  Thread.yield();
                }
              });
        });
  }

  /** Batches are windows: receives that are posted before their messages come, and those of a receiver behind. */
  @Test
  void isMadeByNoWindowOfRequests() throws Exception {
    MemorySegment memory = memory(64);
    check(
        world -> window(mine -> world.isend(memory, 1, 0, mine), false),
        world -> window(mine -> world.irecv(memory, 0, 0, mine), true));
  }

  private static Runnable window(Consumer<Request> start, boolean inTurn) {
    Request[] mine = Stream.generate(Request::new).limit(BATCH).toArray(Request[]::new);
    Request[] started = new Request[BATCH];
    Status[] statuses = new Status[BATCH];
    return () -> {
      for (int i = 0; i < BATCH; i++) {
        start.accept(mine[i]);
        started[i] = mine[i];
      }
      if (inTurn) {
        mine[0].await(); // takes in what is there for the others too
      }
      Request.waitAll(started, statuses);
    };
  }

  @Test
  void isMadeByNoPersistentRequest() throws Exception {
    check(
        world -> {
          Request send = world.sendInit(Data.of(memory(64)), 1, 0);
          return each(i -> send.start().await());
        },
        world -> {
          Request receive = world.recvInit(Data.of(memory(64)), 0, 0);
          return each(i -> receive.start().await());
        });
  }

  @Test
  void isMadeByNoUnexpectedMessage() throws Exception {
    MemorySegment out = memory(64);
    MemorySegment in = memory(64);
    check(
        world -> eachAnswered(world, i -> world.send(out, 1, i == BATCH - 1 ? 1 : 0)),
        world -> eachAnswered(world, i -> world.recv(in, 0, i == 0 ? 1 : 0))); // the last first: all others are
                                                                               // unexpected
  }

  @Test
  void isMadeByNoProbe() throws Exception {
    MemorySegment out = memory(64);
    MemorySegment in = memory(64);
    check(
        world -> eachAnswered(world, i -> world.send(out, 1, 0)),
        world -> eachAnswered(
            world,
            i -> {
              Status status = world.iprobe(0, Communicator.ANY_TAG);
              while (status == null) {
                Thread.yield();
                status = world.iprobe(0, Communicator.ANY_TAG);
              }
              world.recv(in, world.probe(0, 0).source(), status.tag());
            }));
  }

  @Test
  void isMadeByNoSendrecv() throws Exception {
    Data out = Data.of(memory(64));
    Data in = Data.of(new byte[64]);
    Data other = Data.of(new byte[64]);
    check(
        world -> each(i -> world.sendrecv(out, 1, 0, out, 1, 1)),
        world -> each(i -> world.sendrecv(other, 0, 1, in, 0, 0)));
  }

  @Test
  void isMadeByNoBarrier() throws Exception {
    check(world -> each(i -> world.barrier()), world -> each(i -> world.barrier()));
  }
}
