package io.adrastea.spread;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The members of a simulated collective: their buffers, filled by chance, and what has to be in them afterwards. */
final class Members {
  /** Fills the schedule of one member. */
  interface Filler {
    void fill(Schedule schedule, int rank);
  }

  static final int[] SIZES = IntStream.concat(IntStream.rangeClosed(1, 33), IntStream.of(64)).toArray();

  final int size;
  final Random random;
  final MemorySegment[] inputs;
  final MemorySegment[] outputs;

  /** Copies of the buffers as they were before. */
  final byte[][] given;

  final byte[][] before;

  private final Schedule[] schedules;

  /** Makes buffers that lie apart. */
  Members(long seed, int size, IntFunction<Long> inputBytes, IntFunction<Long> outputBytes) {
    this.size = size;
    this.random = new Random(seed);
    this.inputs = new MemorySegment[size];
    this.outputs = new MemorySegment[size];
    this.given = new byte[size][];
    this.before = new byte[size][];
    this.schedules = new Schedule[size];
    for (int rank = 0; rank < size; rank++) {
      inputs[rank] = filled(inputBytes.apply(rank));
      outputs[rank] = filled(outputBytes.apply(rank));
    }
  }

  private MemorySegment filled(long bytes) {
    byte[] data = new byte[Math.toIntExact(bytes)];
    random.nextBytes(data);
    return MemorySegment.ofArray(data);
  }

  /** Lets a member's input lie in its output, or the other way around. */
  void place(int rank, boolean inputInOutput, long at) {
    if (inputInOutput) {
      inputs[rank] = outputs[rank].asSlice(at, inputs[rank].byteSize());
    } else {
      outputs[rank] = inputs[rank].asSlice(at, outputs[rank].byteSize());
    }
  }

  /** Runs the schedules of all. */
  Simulation run(Operation operation, Filler filler) {
    Simulation simulation = count(operation, (schedule, rank) -> {
      filler.fill(schedule, (rank + 1) % size); // filled again, it has nothing of another member
      filler.fill(schedule, rank);
    });
    simulation.run();
    for (int rank = 0; rank < size; rank++) {
      if (inputs[rank].asOverlappingSlice(outputs[rank]).isEmpty()) {
        assertArrayEquals(given[rank], inputs[rank].toArray(ValueLayout.JAVA_BYTE), "an input is written");
      }
    }
    return simulation;
  }

  /** Counts what is in the schedules of all, and runs none. */
  Simulation count(Operation operation, Filler filler) {
    for (int rank = 0; rank < size; rank++) {
      schedules[rank] = new Schedule();
      filler.fill(schedules[rank], rank);
      given[rank] = inputs[rank].toArray(ValueLayout.JAVA_BYTE);
      before[rank] = outputs[rank].toArray(ValueLayout.JAVA_BYTE);
    }
    return new Simulation(schedules, inputs, outputs, operation, random);
  }

  byte[] output(int rank) {
    return outputs[rank].toArray(ValueLayout.JAVA_BYTE);
  }

  /** Combines the operands of members from the left. */
  byte[] fold(Operation operation, int first, int end) {
    byte[] left = given[first].clone();
    MemorySegment result = MemorySegment.ofArray(left);
    for (int rank = first + 1; rank < end; rank++) {
      MemorySegment right = MemorySegment.ofArray(given[rank]);
      for (long at = 0; at < left.length; at += Operation.ELEMENT) {
        int value =
            operation.of(
                result.get(ValueLayout.JAVA_INT_UNALIGNED, at), right.get(ValueLayout.JAVA_INT_UNALIGNED, at));
        result.set(ValueLayout.JAVA_INT_UNALIGNED, at, value);
      }
    }
    return left;
  }
}
