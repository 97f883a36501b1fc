package io.adrastea.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.GivenSegment;
import io.adrastea.Settings;
import io.adrastea.cli.base.ExitStatus;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.launch.RollCall;
import io.adrastea.ranktable.RankTable;
import io.adrastea.ranktable.Waiting;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import io.adrastea.segment.SegmentFile;
import io.adrastea.topology.CpuQuota;
import io.adrastea.topology.Cpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a launcher makes of the ends of its ranks; shells stand for them. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EndedRanksTest {
  private static final int RANKS = 2;
  private static final List<String> NOTHING = List.of();

  @TempDir
  Path directory;

  private final String job = "%016x".formatted(ProcessHandle.current().pid());
  private final long number = Long.parseLong(job, 16);
  private Process shell;

  @AfterEach
  void endShell() throws InterruptedException {
    if (shell != null) {
      shell.destroyForcibly().waitFor();
    }
  }

  private interface Body {
    void run(EndedRanks ended) throws Exception;
  }

  private void check(Body body) throws Exception {
    Callable<Void> action =
        () -> {
          EndedRanks ended = new EndedRanks(new RollCall(job, 0, 0, RANKS), 0,
              new JobProcesses("ADRASTEA_JOB=" + job), new JobFile(job, 0));
          body.run(ended);
          ended.close();
          return null;
        };
    Settings.with(Map.of("adrastea.shm.dir", directory.toString()), action);
  }

  private Path path() {
    return SegmentFile.path(directory, number, 0);
  }

  private Segment create() {
    return Segment.create(path(), new Geometry(RANKS, 4, 512, GivenSegment.NO_BOXES), number);
  }

  private Segment found() {
    return Segment.attach(path(), RANKS, number).orElseThrow();
  }

  private static int state(Segment segment, int rank) {
    return new RankTable(segment).state(rank);
  }

  private static RankEnds.End end(int rank) {
    return new RankEnds.End(rank, new ExitStatus(0));
  }

  /** A process of the job that has the segment's file open. */
  private List<Process> openElsewhere(int rank) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", "exec 3<>\"$0\"; echo open; exec sleep 1000", path().toString());
    builder.environment().putAll(Map.of("ADRASTEA_JOB", job, "ADRASTEA_RANK", "" + rank));
    shell = builder.start();
    assertEquals("open", shell.inputReader().readLine());
    return List.of(shell);
  }

  /** The first look comes at once after an end, the second some time later. */
  private static List<String> lookTwice(EndedRanks ended, List<Process> ranks) {
    assertEquals(NOTHING, ended.look(ranks));
    return ended.look(ranks);
  }

  @Test
  void aRankIsNotMissedAsLongAsAProcessThatAShellLeftBehindMayBeIt() throws Exception {
    check(
        ended -> {
          try (Segment segment = create()) {
            openElsewhere(1);
            ended.add(end(1));
            assertEquals(NOTHING, lookTwice(ended, List.of()));
            assertEquals(RankEntryDescriptor.STATE_ABSENT, state(segment, 1));
            assertTrue(ended.isOpen());
            endShell();
            assertEquals(List.of("rank 1 ended before it joined; the others cannot join without it"),
                ended.look(List.of()));
            assertEquals(RankEntryDescriptor.STATE_FAILED, state(segment, 1));
            assertFalse(ended.isOpen());
          }
        });
  }

  @Test
  void aFileThatLostItsNameBeforeAllHadJoinedIsReplacedWhenRankZeroHasEnded() throws Exception {
    check(
        ended -> {
          try (Segment segment = create()) {
            List<Process> others = openElsewhere(1);
            segment.countAttached(); // rank 0, which gives up then
            segment.unlink();
            ended.add(end(0));
            assertEquals(NOTHING, lookTwice(ended, others));
            try (Segment standIn = found()) {
              assertEquals(RankEntryDescriptor.STATE_FAILED, state(standIn, 0));
            }
          }
        });
  }

  @Test
  void aFileThatGoesAfterRankZeroHasEndedIsReplaced() throws Exception {
    check(
        ended -> {
          try (Segment segment = create()) {
            new RankTable(segment).enter(0, 1, 0, 0, Cpus.of(0), new CpuQuota(0));
            ended.add(end(0));
            assertEquals(NOTHING, lookTwice(ended, List.of())); // it had come
            Files.delete(path()); // as by a job that took it for a dead one's
            assertTrue(ended.isOpen());
            ended.look(List.of());
            try (Segment standIn = found()) {
              assertEquals(RankEntryDescriptor.STATE_FAILED, state(standIn, 0));
            }
          }
        });
  }

  @Test
  void nothingIsReplacedOnceAllHaveJoined() throws Exception {
    check(
        ended -> {
          try (Segment segment = create()) {
            List<Process> others = openElsewhere(1);
            new RankTable(segment).depart(0, RankEntryDescriptor.STATE_LEFT);
            for (int rank = 0; rank < RANKS; rank++) {
              segment.countAttached(); // the last one takes the name away
            }
            ended.add(end(0));
            assertEquals(NOTHING, lookTwice(ended, others));
            assertFalse(Files.exists(path()));
            assertFalse(ended.isOpen());
          }
        });
  }

  @Test
  void whatARankSaidThatGaveUpIsTold() throws Exception {
    check(
        ended -> {
          try (Segment segment = create()) {
            List<Process> others = openElsewhere(0);
            RankTable table = new RankTable(segment);
            table.enter(1, 1, 0, 0, Cpus.of(0), new CpuQuota(0));
            for (int rank = 0; rank < RANKS; rank++) {
              segment.countAttached();
            }
            ended.add(end(1));
            table.failing(1, "no license", false);
            assertEquals(NOTHING, lookTwice(ended, others)); // this process is the rank, and goes on
            table.depart(1, RankEntryDescriptor.STATE_FAILED);
            assertEquals(List.of("rank 1 has failed: no license"), ended.look(others));
            assertFalse(ended.isOpen());
          }
        });
  }

  @Test
  void whatRanksWaitForIsKnownOnceAllHaveJoined() throws Exception {
    check(
        ended -> {
          try (Segment segment = create()) {
            List<Process> others = openElsewhere(0);
            RankTable table = new RankTable(segment);
            table.enter(0, 1, 0, 0, Cpus.of(0), new CpuQuota(0));
            table.enter(1, 1, 0, 0, Cpus.of(0), new CpuQuota(0));
            table.tell(1, new Waiting(RankEntryDescriptor.IN_RECEIVE, 0, 7).word());
            assertEquals(Map.of(), ended.waits(others));
            for (int rank = 0; rank < RANKS; rank++) {
              segment.countAttached();
            }
            segment.unlink();
            assertEquals(Map.of(1, "in a receive from rank 0 with tag 7"), ended.waits(others));
            table.depart(0, RankEntryDescriptor.STATE_LEFT);
            table.depart(1, RankEntryDescriptor.STATE_LEFT);
            assertEquals(Map.of(), ended.waits(others)); // though the entry still has the word
          }
        });
  }

  @Test
  void aRankThatEndedWithoutLeavingIsToldOnceNoProcessIsItAnyMore() throws Exception {
    check(
        ended -> {
          try (Segment segment = create()) {
            List<Process> others = openElsewhere(0);
            RankTable table = new RankTable(segment);
            table.enter(1, 1, 0, 0, Cpus.of(0), new CpuQuota(0)); // this process, which the launcher does not know
            for (int rank = 0; rank < RANKS; rank++) {
              segment.countAttached();
            }
            ended.add(end(1));
            assertEquals(NOTHING, lookTwice(ended, others));
            assertTrue(ended.isOpen());
            table.depart(1, RankEntryDescriptor.STATE_FAILED);
            List<String> said = ended.look(others);
            assertTrue(said.size() == 1 && said.get(0).startsWith("rank 1 ended without leaving its job"),
                said::toString);
            assertFalse(ended.isOpen());
          }
        });
  }
}
