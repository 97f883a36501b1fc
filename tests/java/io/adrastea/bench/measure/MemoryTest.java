package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Job;
import io.adrastea.Request;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine.TypeConversionException;

class MemoryTest {
  private static final int[] SIZES = {0, 1, 7, 8, 100, 4096, 200_000};

  @ParameterizedTest
  @EnumSource(Memory.class)
  void payloadsHaveTheirSizeAndLieApart(Memory memory) {
    Job.runThreads(
        1,
        job -> {
          Storage storage = Storage.of(memory, job);
          for (int bytes : SIZES) {
            Payload[] payloads = storage.take(3, bytes);
            for (int i = 0; i < payloads.length; i++) {
              assertEquals(bytes, payloads[i].memory().byteSize());
              payloads[i].memory().fill((byte) i);
            }
            for (int i = 0; i < payloads.length; i++) {
              assertTrue(holds(payloads[i].memory(), (byte) i), memory + " " + bytes);
            }
          }
        });
  }

  @ParameterizedTest
  @EnumSource(Memory.class)
  void whatIsSentFromOneArrivesInAnother(Memory memory) {
    Job.runThreads(
        2,
        job -> {
          Side side = Side.of(job, memory);
          Storage storage = side.storage();
          for (int bytes : SIZES) {
            Payload payload = storage.take(2, bytes)[1];
            if (side.lower()) {
              Buffers.pattern(payload.memory(), bytes);
              payload.send(side.world(), side.peer(), 1);
              payload.isend(side.world(), side.peer(), 1, new Request()).await();
            } else {
              payload.recv(side.world(), side.peer(), 1);
              Buffers.checkPattern(payload.memory(), bytes);
              payload.memory().fill((byte) 0);
              payload.irecv(side.world(), side.peer(), 1, new Request()).await();
              Buffers.checkPattern(payload.memory(), bytes);
            }
          }
        });
  }

  @Test
  void arraysAreOnTheHeapAndTheOthersAreNot() {
    Job.runThreads(
        1,
        job -> {
          assertTrue(Storage.of(Memory.ARRAY, job).take(64).memory().heapBase().isPresent());
          assertTrue(
              Storage.of(Memory.ARRAY, job).take(64).memory().heapBase().get() instanceof double[]);
          assertTrue(
              Storage.of(Memory.ARRAY, job).take(7).memory().heapBase().get() instanceof byte[]);
          assertTrue(Storage.of(Memory.NATIVE, job).take(64).memory().isNative());
          MemorySegment shared = Storage.of(Memory.SHARED, job).take(64).memory();
          assertTrue(job.offset(shared) > 0); // refused unless it was allocated
        });
  }

  @Test
  void wordsAreThoseOfTheOption() {
    assertEquals(Memory.SHARED, Memory.among(List.of("spin", "shared")));
    assertEquals(Memory.NATIVE, Memory.among(List.of("multiple")));
    assertEquals(Memory.ARRAY, new Memory.Converter().convert("array"));
    var refusal =
        assertThrows(
            TypeConversionException.class, () -> new Memory.Converter().convert("magnetic"));
    assertTrue(refusal.getMessage().contains("'magnetic'; allowed are native, array, shared"));
  }

  @Test
  void onlyMessagesAreMeasuredInAnyMemory() {
    assertTrue(Kind.LATENCY.anyMemory() && Kind.BANDWIDTH.untouched().anyMemory());
    assertFalse(Kind.RATE.anyMemory() || Kind.BARRIER.anyMemory() || Kind.COPY.anyMemory());
  }

  private static boolean holds(MemorySegment memory, byte value) {
    return memory.mismatch(MemorySegment.ofArray(filled(memory.byteSize(), value))) < 0;
  }

  private static byte[] filled(long bytes, byte value) {
    byte[] all = new byte[(int) bytes];
    java.util.Arrays.fill(all, value);
    return all;
  }
}
