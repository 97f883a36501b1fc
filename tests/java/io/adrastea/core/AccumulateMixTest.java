package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.accumulate.Accumulate;
import io.adrastea.coll.ElementKind;
import io.adrastea.coll.Operator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * All cores and the scalars of Java on the same words at once: no change is lost, no element undoes one beside it, and
 * what each has got is one history.
 */
@Tag("loops")
@Timeout(240)
class AccumulateMixTest {
  private static final int ROUNDS = 20_000;
  private static final int MANY_ROUNDS = 400_000;
  private static final int LENGTH = 96; // longs; more than is computed ahead at a time

  private final MemorySegment target = Arena.ofAuto().allocate(LENGTH * Long.BYTES, 8);

  /** What accumulates one element; gives what was there, as {@link Accumulate#fetchAndOp} does. */
  private interface Adder {
    long add(ElementKind kind, long at, long value);
  }

  private final List<Adder> adders = new ArrayList<>();

  AccumulateMixTest() {
    adders.add((kind, at, value) -> Accumulate.fetchAndOp(Operator.SUM, kind, target, at, value));
    for (CoreProvider core : Cores.all()) {
      Spaces spaces = core.spaces();
      MemorySegment shared = Arena.global().allocate(16, 8); // of one thread
      adders.add((kind, at, value) -> {
        shared.set(ValueLayout.JAVA_LONG, 0, value);
        shared.set(ValueLayout.JAVA_LONG, 8, 0);
        assertEquals(0, spaces.accumulate(target, at, shared, 0, shared, 8, kind.bytes(), Operator.SUM.number(),
            kind.number(), false));
        return shared.get(ValueLayout.JAVA_LONG, 8);
      });
    }
    assertTrue(adders.size() > 2, "cores found: " + (adders.size() - 1));
  }

  private static <T> List<T> atOnce(List<Callable<T>> works) throws InterruptedException, ExecutionException {
    List<T> results = new ArrayList<>();
    CyclicBarrier allThere = new CyclicBarrier(works.size());
    List<Callable<T>> begun = works.stream().map(work -> (Callable<T>) () -> {
      allThere.await();
      return work.call();
    }).toList();
    try (ExecutorService threads = Executors.newFixedThreadPool(works.size())) {
      for (Future<T> work : threads.invokeAll(begun)) {
        results.add(work.get());
      }
    }
    return results;
  }

  private <T> List<T> eachAdder(Function<Adder, T> work) throws Exception {
    return atOnce(adders.stream().map(adder -> (Callable<T>) () -> work.apply(adder)).toList());
  }

  @Test
  void noElementLosesWhatOthersBesideItDo() throws Exception {
    eachAdder(adder -> {
      for (int i = 0; i < ROUNDS; i++) {
        adder.add(ElementKind.INT8, i & 3, 1);
        adder.add(ElementKind.UINT16, 4 + (i & 1) * 2, 1);
        adder.add(ElementKind.INT32, 8, 1);
        adder.add(ElementKind.FLOAT, 12, Float.floatToRawIntBits(1));
        adder.add(ElementKind.INT64, 16, 1);
        adder.add(ElementKind.DOUBLE, 24, Double.doubleToRawLongBits(1));
      }
      return null;
    });
    int all = adders.size() * ROUNDS;
    for (int i = 0; i < 4; i++) {
      assertEquals((byte) (all / 4), target.get(ValueLayout.JAVA_BYTE, i));
    }
    assertEquals((short) (all / 2), target.get(ValueLayout.JAVA_SHORT, 4));
    assertEquals((short) (all / 2), target.get(ValueLayout.JAVA_SHORT, 6));
    assertEquals(all, target.get(ValueLayout.JAVA_INT, 8));
    assertEquals(all, target.get(ValueLayout.JAVA_FLOAT, 12));
    assertEquals(all, target.get(ValueLayout.JAVA_LONG, 16));
    assertEquals(all, target.get(ValueLayout.JAVA_DOUBLE, 24));
  }

  /** Nothing but this, so that others come in between of load and CAS. */
  @Test
  void noSumOfDoublesIsLost() throws Exception {
    eachAdder(adder -> {
      for (int i = 0; i < MANY_ROUNDS; i++) {
        adder.add(ElementKind.DOUBLE, 24, Double.doubleToRawLongBits(1));
      }
      return null;
    });
    assertEquals((double) adders.size() * MANY_ROUNDS, target.get(ValueLayout.JAVA_DOUBLE, 24));
  }

  @Test
  void aByteIsSwappedWhateverBecomesOfThoseBesideIt() throws Exception {
    List<Callable<Void>> works = new ArrayList<>();
    for (int own = 0; own < 3; own++) {
      long at = own;
      works.add(() -> {
        for (int i = 0; i < MANY_ROUNDS; i++) {
          assertEquals((byte) i, Accumulate.compareAndSwap(ElementKind.INT8, target, at, i, i + 1));
        }
        return null;
      });
    }
    atOnce(works);
    for (int at = 0; at < 3; at++) {
      assertEquals((byte) MANY_ROUNDS, target.get(ValueLayout.JAVA_BYTE, at));
    }
  }

  @Test
  void longAccumulatesOfAllCoresGoThroughEachOther() throws Exception {
    double[] ones = new double[LENGTH];
    Arrays.fill(ones, 1);
    atOnce(Cores.all().stream().map(core -> (Callable<Void>) () -> {
      for (int i = 0; i < 1_000; i++) {
        assertEquals(0, core.spaces().accumulate(target, 0, MemorySegment.ofArray(ones), 0, null, 0,
            LENGTH * Double.BYTES, Operator.SUM.number(), ElementKind.DOUBLE.number(), false));
      }
      return null;
    }).toList());
    double[] wanted = new double[LENGTH];
    Arrays.fill(wanted, 1_000 * Cores.all().size());
    assertArrayEquals(wanted, target.toArray(ValueLayout.JAVA_DOUBLE));
  }

  @Test
  void whatFetchAndAddGivesIsOneHistory() throws Exception {
    List<long[]> histories = eachAdder(adder -> {
      long[] got = new long[ROUNDS];
      for (int i = 0; i < ROUNDS; i++) {
        got[i] = adder.add(ElementKind.INT64, 8, 1);
      }
      return got;
    });
    for (long[] history : histories) {
      for (int i = 1; i < ROUNDS; i++) {
        assertTrue(history[i - 1] < history[i], "a later result is not above an earlier one");
      }
    }
    assertArrayEquals(LongStream.range(0, (long) adders.size() * ROUNDS).toArray(),
        histories.stream().flatMapToLong(LongStream::of).sorted().toArray());
  }

  /** Each store is of a value that nobody else stores, so the stores are links of one chain. */
  @Test
  void whatCompareAndSwapGivesIsOneChain() throws Exception {
    List<Callable<Map<Long, Long>>> works = new ArrayList<>();
    for (int thread = 0; thread < 3; thread++) {
      long first = 1 + (long) thread * ROUNDS;
      works.add(() -> chain(first));
    }
    Map<Long, Long> after = new HashMap<>();
    for (Map<Long, Long> links : atOnce(works)) {
      links.forEach((from, to) -> assertNull(after.put(from, to), "two stores upon one value"));
    }
    long last = 0;
    int links = 0;
    for (; after.containsKey(last); last = after.get(last)) {
      links++;
    }
    assertEquals(after.size(), links);
    assertEquals(target.get(ValueLayout.JAVA_INT, 12), last);
    assertTrue(links > ROUNDS / 100, "stores: " + links);
  }

  private Map<Long, Long> chain(long first) {
    Map<Long, Long> links = new HashMap<>();
    long desired = first;
    long expected = 0;
    for (int i = 0; i < ROUNDS; i++) {
      long found = Accumulate.compareAndSwap(ElementKind.INT32, target, 12, expected, desired);
      if (found == expected) {
        links.put(expected, desired);
        expected = desired++;
      } else {
        expected = found;
      }
    }
    return links;
  }
}
