package io.adrastea.shmem;

import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.EverySharedCoreList;
import io.adrastea.Job;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.CapabilityException;
import io.adrastea.error.SegmentException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Wrong uses of symmetric memory: exceptions that name call, PE and offset, nothing is written, and nothing hangs. */
@EverySharedCoreList
class ShmemMisuseTest {
  private static final long HEAP = 1 << 16;

  @Parameter
  String cores;

  private static void refusesPlace(String said, Runnable call) {
    refuses(IndexOutOfBoundsException.class, said, call);
  }

  @Test
  void placesOutsideAreRefused() throws Exception {
    Ranks.run(cores, 2, job -> {
      try (Shmem shmem = Shmem.of(job, HEAP)) {
        Symmetric object = shmem.allocate(20);
        Symmetric behind = shmem.allocate(64);
        ShmemContext context = shmem.context();
        int other = 1 - shmem.pe();
        MemorySegment memory = Arena.ofAuto().allocate(64, 8);
        String at = " at offset 16 in the symmetric object of 20 bytes at offset 0 of PE " + other;
        refusesPlace("putLong of 8 bytes" + at, () -> context.putLong(object, 16, 1, other));
        refusesPlace("getDouble of 8 bytes" + at, () -> context.getDouble(object, 16, other));
        refusesPlace("fetchAddLong of 8 bytes" + at, () -> context.fetchAddLong(object, 16, 1, other));
        refusesPlace("put of 5 bytes" + at, () -> context.put(object, 16, Data.of(new byte[5]), other));
        refusesPlace("get of 5 bytes" + at, () -> context.get(Data.of(new byte[5]), object, 16, other));
        for (long wrong : new long[] {-8, Long.MIN_VALUE, Long.MAX_VALUE - 7, 64, 1L << 62}) {
          assertThrows(IndexOutOfBoundsException.class, () -> context.putLong(object, wrong, 1, other));
          assertThrows(IndexOutOfBoundsException.class, () -> context.put(object, wrong, memory, 0, 8, other));
          assertThrows(IndexOutOfBoundsException.class, () -> context.put(object, 0, memory, wrong, 8, other));
          assertThrows(IndexOutOfBoundsException.class,
              () -> context.putStrided(object, 0, wrong, memory, 0, 8, 8, 2, other));
          assertThrows(IndexOutOfBoundsException.class,
              () -> context.getStrided(memory, 0, wrong, object, 0, 8, 8, 2, other));
        }
        refusesPlace("do not lie in it", () -> context.putStrided(object, 0, 8, memory, 0, 8, 8, 3, other));
        assertThrows(IllegalArgumentException.class,
            () -> context.putStrided(object, 0, 8, memory, 0, 8, -1, 3, other));
        refuses(IllegalArgumentException.class, "a multiple", () -> context.putLong(behind, 4, 1, other));
        refuses(IllegalArgumentException.class, "a multiple", () -> context.fetchAddInt(behind, 2, 1, other));
        refuses(IllegalArgumentException.class, "a multiple",
            () -> context.putSignal(object, 0, Data.of(new byte[4]), behind, 12, 1, SignalOp.SET, other));
        refuses(IllegalArgumentException.class, "a multiple",
            () -> shmem.waits().waitUntilLong(behind, 4, Comparison.EQ, 1));
        for (int wrong : new int[] {-1, 2, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
          refuses(IllegalArgumentException.class, "PE " + wrong, () -> context.putLong(object, 0, 1, wrong));
          refuses(IllegalArgumentException.class, "PE " + wrong, () -> object.at(wrong));
          refuses(IllegalArgumentException.class, "PE " + wrong,
              () -> shmem.team().broadcast(object, 0, behind, 0, 8, wrong));
          refuses(IllegalArgumentException.class, "PE " + wrong, () -> shmem.team().numberInHeap(wrong));
        }
        refusesPlace("reduce", () -> shmem.team().reduce(object, 0, behind, 0, 3, Datatype.LONG, Op.SUM));
        assertThrows(NullPointerException.class, () -> context.put(object, 0, null, other));
        assertThrows(NullPointerException.class, () -> shmem.waits().testLong(object, 0, null, 1));
        shmem.barrierAll();
        for (Symmetric each : new Symmetric[] {object, behind}) {
          assertEquals(-1, each.local().mismatch(MemorySegment.ofArray(new byte[(int) each.bytes()])), "was written");
        }
      }
    });
  }

  @Test
  void whatIsFreedOrClosedOrOfAnotherHeapIsRefused() throws Exception {
    Ranks.run(cores, 2, job -> {
      Shmem shmem = Shmem.of(job, HEAP);
      Shmem other = Shmem.of(job, HEAP);
      Symmetric object = shmem.allocate(64);
      Symmetric foreign = other.allocate(64);
      ShmemContext context = shmem.context();
      refuses(IllegalArgumentException.class, "another heap", () -> context.putLong(foreign, 0, 1, 0));
      refuses(IllegalArgumentException.class, "another heap",
          () -> shmem.team().fcollect(object, 0, foreign, 0, 8));
      refuses(IllegalArgumentException.class, "another heap", () -> shmem.team().translate(0, other.team()));
      object.free();
      refuses(IllegalStateException.class, "freed", () -> context.putLong(object, 0, 1, 0));
      refuses(IllegalStateException.class, "freed", object::local);
      refuses(IllegalStateException.class, "freed", object::free);
      refuses(IllegalStateException.class, "freed", () -> object.reallocate(4));
      refuses(IllegalStateException.class, "ends with the heap", () -> shmem.team().close());
      other.close();
      refuses(IllegalStateException.class, "closed", foreign::local);
      refuses(IllegalStateException.class, "closed", () -> other.allocate(8));
      refuses(IllegalStateException.class, "closed", other::barrierAll);
      refuses(IllegalStateException.class, "closed", other::close);
      refuses(IllegalStateException.class, "closed", () -> other.waits().testLong(foreign, 0, Comparison.EQ, 0));
      shmem.close();
    });
  }

  /** Gives a value of each type that calls take; with those that they have here they would be right. */
  private static Object argument(Class<?> type, Symmetric object, Team team) {
    return Map.<Class<?>, Object>ofEntries(Map.entry(Symmetric.class, object), Map.entry(Team.class, team),
        Map.entry(byte.class, (byte) 1), Map.entry(short.class, (short) 1), Map.entry(int.class, 1),
        Map.entry(long.class, 8L), Map.entry(float.class, 1f), Map.entry(double.class, 1d),
        Map.entry(int[].class, new int[] {0}), Map.entry(long[].class, new long[] {0}),
        Map.entry(Data.class, Data.of(new byte[8])), Map.entry(MemorySegment.class, Arena.ofAuto().allocate(256, 8)),
        Map.entry(Comparison.class, Comparison.EQ), Map.entry(SignalOp.class, SignalOp.SET),
        Map.entry(Datatype.class, Datatype.LONG), Map.entry(Op.class, Op.SUM),
        Map.entry(ContextOption[].class, new ContextOption[] {ContextOption.PRIVATE})).get(type);
  }

  /** All calls of a class but those that need no heap; all are to say that it is closed. */
  private static int refusesAll(Object on, Symmetric object, Team team, String... others) throws Exception {
    int refused = 0;
    for (Method method : on.getClass().getMethods()) {
      if (method.getDeclaringClass() != on.getClass() || Modifier.isStatic(method.getModifiers())
          || List.of(others).contains(method.getName())) {
        continue;
      }
      Object[] arguments = Stream.of(method.getParameterTypes()).map(type -> argument(type, object, team)).toArray();
      InvocationTargetException thrown =
          assertThrows(InvocationTargetException.class, () -> method.invoke(on, arguments), () -> method + " is done");
      assertInstanceOf(IllegalStateException.class, thrown.getCause(), method::toString);
      String said = thrown.getCause().getMessage();
      assertTrue(said.contains("closed"), () -> method + " says: " + said);
      refused++;
    }
    return refused;
  }

  @Test
  void everyCallBehindCloseIsRefused() throws Exception {
    Ranks.run(cores, 2, job -> {
      Shmem shmem = Shmem.of(job, HEAP);
      Symmetric object = shmem.allocate(256);
      ShmemLock lock = shmem.lock(object, 0);
      ShmemContext context = shmem.createContext();
      Team part = shmem.team().splitStrided(0, 1, 2);
      shmem.barrierAll();
      shmem.close();
      Shmem next = Shmem.of(job, HEAP); // in the same memory, perhaps
      Symmetric other = next.allocate(256);
      String[] noHeap = {"fence", "quiet", "close", "team", "options", "toString"};
      assertTrue(refusesAll(shmem.context(), object, part, noHeap) > 70);
      assertTrue(refusesAll(context, object, part, noHeap) > 70);
      assertTrue(refusesAll(shmem.waits(), object, part) > 10);
      assertEquals(6, refusesAll(object, object, part, "toString"));
      assertEquals(3, refusesAll(lock, object, part, "toString"));
      String[] numbers = {"pe", "pes", "numberInHeap", "translate", "close", "toString"};
      assertEquals(12, refusesAll(part, object, part, numbers));
      assertEquals(12, refusesAll(shmem.team(), object, part, numbers));
      String[] known = {"pe", "pes", "bytes", "allocated", "context", "waits", "team", "toString"};
      assertEquals(7, refusesAll(shmem, object, part, known));
      next.barrierAll();
      assertEquals(-1, other.local().mismatch(MemorySegment.ofArray(new byte[256])), "another heap was written");
      next.barrierAll();
      part.close();
      next.close();
    });
  }

  @Test
  void contextsEndWithTheirTeamsAndAtTheirClose() throws Exception {
    Ranks.run(cores, 3, job -> {
      try (Shmem shmem = Shmem.of(job, HEAP)) {
        Symmetric object = shmem.allocate(256);
        Team part = shmem.team().splitStrided(0, 1, 2);
        if (part != null) {
          ShmemContext context = part.createContext(ContextOption.SERIALIZED);
          ShmemContext last = part.createContext();
          context.putLong(object, 0, 1, 1);
          refuses(IllegalArgumentException.class, "of PE 2; there are PEs 0 to 1",
              () -> context.putLong(object, 0, 1, 2));
          assertThrows(NullPointerException.class, () -> part.createContext((ContextOption) null));
          context.close();
          String[] noPlace = {"fence", "quiet", "close", "team", "options", "toString"};
          assertTrue(refusesAll(context, object, part, noPlace) > 70);
          context.close();
          last.putLong(object, 0, 2, 1);
          part.close();
          refuses(IllegalStateException.class, "putLong by a context of the team of 2 PEs",
              () -> last.putLong(object, 0, 1, 1));
          refuses(IllegalStateException.class, "closed", part::createContext);
        }
        shmem.context().close(); // it ends with the heap
        shmem.barrierAll();
        assertEquals(2, shmem.context().getLong(object, 0, 1));
        shmem.barrierAll();
      }
    });
  }

  @Test
  void aHeapThatIsFullRefusesAtAllPes() throws Exception {
    Ranks.run(cores, 3, job -> {
      try (Shmem shmem = Shmem.of(job, HEAP)) {
        Symmetric first = shmem.allocate(HEAP / 2);
        refuses(SegmentException.class, "no place for " + HEAP, () -> shmem.allocate(HEAP));
        refuses(SegmentException.class, "no place for", () -> first.reallocate(HEAP + 1));
        assertEquals(HEAP / 2, first.bytes());
        Symmetric second = shmem.allocate(HEAP / 2);
        refuses(SegmentException.class, "no place for 1 bytes", () -> shmem.allocate(1));
        first.local().fill((byte) 1);
        second.free();
        assertEquals(HEAP / 2, shmem.allocated());
        for (long wrong : new long[] {0, -1, Long.MIN_VALUE}) {
          refuses(IllegalArgumentException.class, "at least 1", () -> shmem.allocate(wrong));
        }
        refuses(IllegalArgumentException.class, "power of two", () -> shmem.allocate(8, 3));
        refuses(IllegalArgumentException.class, "power of two", () -> shmem.allocate(8, Long.MIN_VALUE));
      }
    });
  }

  @Test
  void pesThatDoNotCallAlikeAreAllRefused() throws Exception {
    for (int kind = 0; kind < 4; kind++) {
      int way = kind;
      Ranks.run(cores, 3, job -> {
        Shmem shmem = Shmem.of(job, HEAP);
        Symmetric one = shmem.allocate(64);
        Symmetric two = shmem.allocate(64);
        boolean odd = shmem.pe() == 2;
        String said = assertThrows(AdrasteaException.class, () -> {
          switch (way) {
            case 0 -> shmem.allocate(odd ? 128 : 64);
            case 1 -> (odd ? one : two).free();
            case 2 -> {
              if (odd) {
                shmem.allocate(8);
              } else {
                one.reallocate(8);
              }
            }
            default -> shmem.allocate(8, odd ? 128 : 64);
          }
        }).getMessage();
        assertTrue(said.contains("PE 0") && said.contains("PE 2") && said.contains("same order"), said);
        refuses(AdrasteaException.class, "PE 2", () -> shmem.allocate(8));
        shmem.context().putLong(one, 0, 4, shmem.pe()); // memory is there as before
        assertEquals(4, shmem.context().getLong(one, 0, shmem.pe()));
        shmem.barrierAll();
        shmem.close();
      });
    }
  }

  @Test
  void heapsOfDifferentSizesAreRefusedByTheirSizes() throws Exception {
    Ranks.run(cores, 2, job -> {
      refuses(IllegalArgumentException.class, "of 4096 bytes, and PE 1 of 8192",
          () -> Shmem.of(job, job.world().rank() == 0 ? 4096 : 8192));
      refuses(IllegalArgumentException.class, "at least 64 are", () -> Shmem.of(job, 0));
      refuses(IllegalArgumentException.class, "at least 64 are", () -> Shmem.of(job, -1));
      refuses(SegmentException.class, "larger than any file", () -> Shmem.of(job, Long.MAX_VALUE / 4));
      assertThrows(NullPointerException.class, () -> Shmem.of((Job) null, 1));
      Shmem.of(job, 64).close();
    });
  }

  @Test
  void wrongUsesOfLocksAreRefused() throws Exception {
    Ranks.run(cores, 2, job -> {
      try (Shmem shmem = Shmem.of(job, HEAP)) {
        Symmetric words = shmem.allocate(20);
        refuses(IllegalArgumentException.class, "a multiple", () -> shmem.lock(words, 4));
        refusesPlace("lock of 8 bytes at offset 16", () -> shmem.lock(words, 16));
        ShmemLock lock = shmem.lock(words, 8 * shmem.pe());
        refuses(IllegalStateException.class, "not set", lock::clear);
        lock.set();
        refuses(IllegalStateException.class, "this PE has set", lock::set);
        refuses(IllegalStateException.class, "this PE has set", lock::test);
        lock.clear();
        refuses(IllegalStateException.class, "not set", lock::clear);
        shmem.barrierAll();
        for (int pe = 0; pe < 2; pe++) {
          shmem.context().putLong(words, 8 * shmem.pe(), -1, pe); // no lock
        }
        refuses(SegmentException.class, "what no lock has", lock::set);
        refuses(SegmentException.class, "what no lock has", lock::test);
        shmem.barrierAll();
      }
    });
  }

  @Test
  void ranksThatShareNoMemoryAreRefused() throws Exception {
    Ranks.run("ffm+pipes", 2, job -> {
      assertThrows(CapabilityException.class, () -> Shmem.of(job, HEAP));
      job.world().barrier();
    });
  }
}
