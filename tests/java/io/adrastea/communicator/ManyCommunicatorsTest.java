package io.adrastea.communicator;

import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.Refusals;
import io.adrastea.error.AdrasteaException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** As many communicators as there can be at a time, and as many made one after the other as a long run makes. */
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManyCommunicatorsTest {
  private static final int MOST = 65_535; // beside that of all ranks
  private static final int ROUNDS = Integer.getInteger("adrastea.test.communicators", 100_000);
  private static final int TAG = 7;
  private static final int MANY = 1_500;

  private static void talk(Communicator on, int value) {
    int[] got = new int[1];
    int other = on.size() - 1 - on.rank();
    on.sendrecv(Data.of(new int[] {value}), other, TAG, Data.of(got), other, TAG);
    assertEquals(value, got[0]);
  }

  @Test
  void areAliveAtATimeAndOneMoreIsRefused() throws Exception {
    Ranks.run("java", 1, job -> {
      List<Communicator> alive = new ArrayList<>(MOST);
      for (int i = 0; i < MOST; i++) {
        alive.add(job.world().dup());
      }
      refuses(AdrasteaException.class, "all 65536 numbers of communicators are taken; close communicators",
          () -> job.world().dup());
      job.world().barrier(); // which is not broken
      for (int i = 0; i < MOST; i += 4999) {
        talk(alive.get(i), i);
        alive.get(i).barrier();
      }
      alive.get(4711).close();
      try (Communicator again = job.world().dup()) {
        talk(again, 1);
      }
      for (int i = 0; i < MOST; i++) {
        if (i != 4711) {
          alive.get(i).close();
        }
      }
      try (Communicator again = job.world().dup()) {
        talk(again, 2);
      }
    });
  }

  @Test
  void whoTakesNoNumberTellsTheOthers() throws Exception {
    Ranks.run("java,ffm", 2, job -> {
      Communicator world = job.world();
      List<Communicator> alive = new ArrayList<>(MOST);
      if (world.rank() == 0) {
        for (int i = 0; i < MOST; i++) {
          alive.add(world.subset(0, 0));
        }
      }
      String words = world.rank() == 0
          ? "all 65536 numbers of communicators are taken"
          : "rank 0 of the new communicator (job rank 0) could not make it, and has thrown why";
      refuses(AdrasteaException.class, words, world::dup);
      refuses(AdrasteaException.class, words, () -> world.split(1, 0));
      refuses(AdrasteaException.class, words, () -> world.subset(1, 0, 1));
      alive.forEach(Communicator::close);
      world.barrier();
      try (Communicator one = world.dup()) {
        talk(one, 3);
      }
    });
  }

  private static void makeAndClose(Communicator world, int times) {
    Data longer = Data.of(new long[2000]); // through stages
    for (int i = 0; i < times; i++) {
      Communicator one = switch (i % 3) {
        case 0 -> world.dup();
        case 1 -> world.split(0, world.rank());
        default -> world.subset(TAG, 1, 0);
      };
      one.allreduce(1, Op.SUM);
      if (i % 50 == 0) {
        one.bcast(longer, 0);
      }
      one.close();
      int number = Integer.parseInt(one.name().substring("communicator ".length()));
      assertTrue(number < 1024, () -> "number " + number + ": others were lost");
    }
    world.barrier();
  }

  private static long lines(String file) {
    try (Stream<String> lines = Files.lines(Path.of(file))) {
      return lines.filter(line -> line.contains("adrastea")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How many files and sockets are open, without what either rank opens to count, or to load a class. */
  private static long openFiles() {
    return Stream.of(new File("/proc/self/fd").list()).filter(ManyCommunicatorsTest::stays).count();
  }

  private static boolean stays(String descriptor) {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd", descriptor)).toString();
      return !target.startsWith("/proc/") && !target.endsWith(".class") && !target.endsWith(".jar");
    } catch (IOException e) {
      return false; // closed since it was listed
    }
  }

  /**
   * Measures at rank 0, while the other one waits: what a thread has just been given to allocate from counts as in use.
   */
  private static long heapInUse(Communicator world) {
    world.barrier();
    long least = world.rank() == 0 ? Long.MAX_VALUE : 0;
    for (int i = 0; world.rank() == 0 && i < 3; i++) {
      System.gc();
      least = Math.min(least, Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
    }
    world.barrier();
    return least;
  }

  @Test
  void leaveNoMemoryNoNumberAndNoFile() throws Exception {
    Ranks.run("java,ffm", 2, job -> {
      Communicator world = job.world();
      makeAndClose(world, 1100);
      long mappings = lines("/proc/self/maps");
      long files = openFiles();
      long least = Long.MAX_VALUE; // what is left behind is so each time; what the JVM has made beside it is not
      for (int round = 0; round < 3; round++) {
        long heap = heapInUse(world);
        makeAndClose(world, MANY);
        least = Math.min(least, heapInUse(world) - heap);
      }
      assertTrue(lines("/proc/self/maps") <= mappings);
      assertTrue(openFiles() <= files); // the JVM may have closed some
      long more = least;
      assertTrue(more < 1000L * MANY, () -> more + " bytes more");
      world.barrier();
    });
  }

  @Test
  void areMadeAndClosedOneAfterTheOther() throws Exception {
    Ranks.run("java,ffm", 2, job -> {
      for (int i = 0; i < ROUNDS; i++) {
        try (Communicator one = i % 2 == 0 ? job.world().dup() : job.world().split(0, -job.world().rank())) {
          talk(one, i);
          if (i % 3 == 0) {
            one.barrier();
          }
        }
      }
    });
  }
}
