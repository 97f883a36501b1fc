package io.adrastea.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.GivenSegment;
import io.adrastea.atomic.Words;
import io.adrastea.core.Core;
import io.adrastea.core.SleeplessNode;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.ranktable.RankTable;
import io.adrastea.ranktable.Waiting;
import io.adrastea.segment.Segment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The tables of {@code tests/waiting}, whose {@code README.md} explains them, with the wait loop of Java ranks, on a
 * clock and CPUs of the test's own. Twin of {@code tests/c/waiter_test.c}.
 */
@Timeout(240)
class WaitTablesTest {
  private static final Path TABLES = Path.of(System.getProperty("adrastea.root"), "tests/waiting");
  private static final int SELF = 0;
  private static final int OTHER = 1;
  private static final int SHORT_SPIN = 101; // polls at most, before the first rest
  private static final long POLL_NANOS = 40;
  private static final long TAKEN_AFTER = 200_000;

  private final Others others = new Others();
  private final Comes comes = new Comes();
  private final List<String> phases = new ArrayList<>(); // of the wait at hand
  private Segment segment;
  private Gate gate;
  private Waits waits;
  private long now;
  private long metAt; // the wait at hand
  private long pollNanos;
  private long yieldNanos;
  private long takenAt; // the CPU of the rank ...
  private long taken; // ... for so long; 0: it is not
  private int rankHere; // 1: another rank gives way here; 0: elsewhere; below zero: that is not told
  private int moveStatus;
  private long polls; // of the wait at hand, before it first rested
  private boolean rested;

  static Stream<Path> tables() throws IOException {
    try (Stream<Path> files = Files.list(TABLES)) {
      List<Path> tables = files.filter(file -> file.toString().endsWith(".wait")).sorted().toList();
      assertTrue(!tables.isEmpty(), "no tables in " + TABLES);
      return tables.stream();
    }
  }

  /** What the system and the other ranks do. */
  private final class Others extends SleeplessNode {
    @Override
    public int sleep(long word, long nanos) {
      rest("sleep");
      now = Math.min(metAt, now + nanos);
      return 0;
    }

    @Override
    public int giveWay(long at) {
      rest("yield");
      now += yieldNanos;
      return 0;
    }

    @Override
    public int wasGivenWay(long since) {
      return rankHere;
    }

    @Override
    public int avoidSharedCpu(int other) {
      assertEquals(OTHER, other);
      rest("move");
      return moveStatus;
    }
  }

  private final class Comes implements Condition<Void> {
    @Override
    public boolean isMet(Void subject, int most) {
      for (int left = most; left > 0; left--) {
        now += pollNanos;
        polls++;
        takeCpu();
        if (now >= metAt) {
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean step(Void subject, Upkeep upkeep) {
      return false;
    }

    @Override
    public int missing(Void subject) {
      return NONE;
    }

    @Override
    public void fail(Void subject, int gone) {
      throw new AssertionError("nobody is gone");
    }

    @Override
    public Waiting waiting(Void subject) {
      return new Waiting(RankEntryDescriptor.IN_MEMORY, OTHER, -1);
    }
  }

  private void takeCpu() {
    if (taken != 0 && now >= takenAt) {
      now += taken;
      metAt += taken;
      taken = 0;
    }
  }

  private void phase(String name) {
    if (!phases.contains(name)) {
      phases.add(name);
    }
  }

  private void spin() {
    if (!rested && polls > 1) {
      phase(polls <= SHORT_SPIN ? "short" : "spin");
    }
    rested = true;
  }

  private void rest(String name) {
    spin();
    phase(name);
  }

  @BeforeEach
  void make(@TempDir Path directory) {
    segment = GivenSegment.formatted(directory, 2, 8, 4096);
    for (int rank = 0; rank < 2; rank++) { // each can wake the other
      Words.store(segment.memory(), segment.geometry().rankEntryOffset(rank) + RankEntryDescriptor.FLAGS_OFFSET,
          RankEntryDescriptor.FLAG_WAKEABLE | RankEntryDescriptor.FLAG_WAKER);
    }
  }

  @AfterEach
  void close() {
    segment.close();
  }

  private void beginJob(String oversubscribed, int spins) {
    now = 1_000_000_000;
    pollNanos = POLL_NANOS;
    yieldNanos = 1000;
    rankHere = 0;
    moveStatus = 0;
    RankTable table = new RankTable(segment);
    boolean on = oversubscribed.equals("on");
    gate = new Gate(
        SELF, Gate.Threads.IN_TURN, () -> new Waiter(on, oversubscribed.equals("auto"), spins, () -> now));
    waits = new Waits(others, gate, table, SELF, new Movement(table, SELF, new int[] {SELF, OTHER}),
        new WordSleepers(table, SELF, new int[] {SELF, OTHER}), 0);
    waits.serve(new NoUpkeep());
  }

  private void await(String whom, long nanos) {
    phases.clear();
    polls = 0;
    rested = false;
    metAt = now + nanos;
    takenAt = now + TAKEN_AFTER;
    gate.enter();
    try {
      waits.await(comes, null, whom.equals("all") ? waits.beginWaitForAll() : waits.beginWait(OTHER));
    } finally {
      gate.exit();
    }
    spin();
  }

  /** The last of so many naps. */
  private long nap(int count) {
    long last = 0;
    for (int left = count; left > 0; left--) {
      last = gate.waiter().nap(Waits.LEAST_NAP_NANOS, Waits.MOST_NAP_NANOS);
    }
    return last;
  }

  private void replay(String[] words, String wanted, String where) {
    switch (words[0] + " " + words.length) {
      case "job 3" -> beginJob(words[1], Integer.parseInt(words[2]));
      case "polls 2" -> pollNanos = Long.parseLong(words[1]);
      case "yields 2" -> yieldNanos = Long.parseLong(words[1]);
      case "taken 2" -> taken = Long.parseLong(words[1]);
      case "rank 2" -> rankHere = switch (words[1]) {
        case "here" -> 1;
        case "away" -> 0;
        default -> Core.NOSYS;
      };
      case "move 2" -> moveStatus = Integer.parseInt(words[1]);
      case "pass 2" -> now += Long.parseLong(words[1]);
      case "waits 4" -> {
        for (int left = Integer.parseInt(words[1]); left > 0; left--) {
          await(words[2], Long.parseLong(words[3]));
        }
      }
      case "naps 2" -> assertEquals(Long.parseLong(wanted), nap(Integer.parseInt(words[1])), where);
      case "wait 3" -> {
        await(words[1], Long.parseLong(words[2]));
        assertEquals(wanted, String.join(" ", phases), where);
      }
      default -> throw new IllegalArgumentException(where + ": no such line");
    }
  }

  @ParameterizedTest
  @MethodSource("tables")
  void ranksRestAsTheTableSays(Path table) throws IOException {
    int number = 0;
    for (String text : Files.readAllLines(table)) {
      number++;
      String line = text.replaceFirst("#.*", "").strip();
      if (!line.isEmpty()) {
        String[] sides = line.split("=", -1);
        replay(
            sides[0].strip().split(" +"), sides.length == 1 ? null : sides[1].strip(),
            table.getFileName() + ":" + number + ": " + line);
      }
    }
  }
}
