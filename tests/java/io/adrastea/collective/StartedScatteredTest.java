package io.adrastea.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.IoVector;
import io.adrastea.Ranks;
import io.adrastea.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several started allgathers of large blocks, each of which has to scatter what it brings: all know their own input.
 */
class StartedScatteredTest {
  private static final int LONGS = 1 << 14;
  private static final long BYTES = (long) Long.BYTES * LONGS;
  private static final int MANY = 4; // as many as are under way at once
  private static final int TAG = 3;

  private static long value(int number, int rank, int i) {
    return (long) number << 40 | (long) rank << 32 | i;
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java", "ffm,java"})
  void takeTheirOwnBlocksFromTheirOwnInputs(String cores) throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = job.world();
          Request[] requests = new Request[MANY];
          MemorySegment[][] outs = new MemorySegment[MANY][3];
          if (world.rank() == 1) { // all of the other rank's have begun then
            world.recv(Data.of(new byte[1]), 0, TAG);
          }
          for (int number = 0; number < MANY; number++) {
            MemorySegment in = job.allocate(BYTES, 64);
            for (int i = 0; i < LONGS; i++) {
              in.setAtIndex(ValueLayout.JAVA_LONG, i, value(number, world.rank(), i));
            }
            long first = BYTES / 2 + 8L * number;
            outs[number][0] = Arena.ofAuto().allocate(first, 8);
            outs[number][1] = Arena.ofAuto().allocate(BYTES, 8);
            outs[number][2] = Arena.ofAuto().allocate(BYTES - first, 8);
            IoVector out = new IoVector();
            for (MemorySegment part : outs[number]) {
              out.add(part);
            }
            requests[number] = world.iallgather(Data.of(in), Data.of(out));
          }
          if (world.rank() == 0) {
            world.send(Data.of(new byte[1]), 1, TAG);
          }
          Request.waitAll(requests);
          for (int number = 0; number < MANY; number++) {
            int at = 0;
            for (MemorySegment part : outs[number]) {
              for (long i = 0; i < part.byteSize() / 8; i++, at++) {
                assertEquals(value(number, at / LONGS, at % LONGS), part.getAtIndex(ValueLayout.JAVA_LONG, i));
              }
            }
          }
        });
  }
}
