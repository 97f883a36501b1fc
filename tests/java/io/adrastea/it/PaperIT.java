package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code bench paper} and {@code bench guard}: which figures there are and where they go. */
@Tag("spins")
class PaperIT {
  private static final String[] QUICK = {"--rounds", "1", "--seconds", "0.02", "--warmup", "0.01"};

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  @Test
  void haloTimesThreeAlgorithmsOnEachCore() throws Exception {
    Path csv = directory.resolve("halo.csv");
    Path html = directory.resolve("halo.html");
    bench("halo", "--sizes", "2,512", "--core", "ffm-java,java")
        .add("--csv", csv.toString(), "--html", html.toString())
        .run()
        .exits(0)
        .prints("send-receive [us]", "non-blocking [us]", "persistent [us]", "1.5 to 2.6 times");
    List<String> lines = Files.readAllLines(csv);
    String page = Files.readString(html);
    for (String core : List.of("ffm-java", "java")) {
      for (String algorithm : List.of("send-receive", "non-blocking", "persistent")) {
        String name = core + " " + algorithm;
        assertTrue(page.contains(name), name);
        for (int bytes : new int[] {8, 2048}) {
          String start = "halo," + name + "," + bytes + ",p50,";
          assertEquals(1, lines.stream().filter(line -> line.startsWith(start)).count(), start);
        }
      }
    }
  }

  @Test
  void netpipeHasTheFloorAndThePapersFiguresBeside() throws Exception {
    Outcome outcome =
        bench("netpipe", "--sizes", "0,8,1M", "--core", "java", "--csv", "-").run().exits(0);
    outcome.says("341", "peak over 1500", "Fig. 3a", "content  untouched"); // the text is on the other stream
    for (String start : List.of("latency-untouched,java,1048576,p50,", "latency-untouched,floor,0,p50,")) {
      assertTrue(outcome.lines().stream().anyMatch(line -> line.startsWith(start)), start);
    }
    assertFalse(outcome.out().contains("Fig."), outcome::toString);
  }

  @Test
  void theBarrierIsTimedByAllWaysForEachNumberOfRanks() throws Exception {
    Path csv = directory.resolve("barrier.csv");
    bench("mpich2-barrier", "--ranks", "2,4", "--core", "ffm-java,java")
        .add("--csv", csv.toString())
        .run()
        .exits(0)
        .prints("shared variables [us]", "messages [us]", "slots [us]", "ratio: to shared variables", "x round trip",
            "0.4 us",
            "2.6 us");
    List<String> lines = Files.readAllLines(csv);
    for (String core : List.of("ffm-java", "java")) {
      for (String way : List.of("shared variables", "messages", "slots")) {
        for (int ranks : new int[] {2, 4}) {
          String start = "mpich2-barrier," + core + " " + way + "," + ranks + ",p50,";
          assertEquals(1, lines.stream().filter(line -> line.startsWith(start)).count(), start);
        }
      }
    }
  }

  @Test
  void theBarrierOfMessagesIsTimedWithAndWithoutBuffersOfPairs() throws Exception {
    Outcome outcome = bench("mvapich-barrier", "--ranks", "2", "--core", "ffm", "--csv", "-").run().exits(0);
    outcome.says("messages by cells [us]", "ratio: to messages by cells", "Fig. 10", "17 % less");
    for (String way : List.of("messages by cells", "messages", "slots")) {
      String start = "mvapich-barrier,ffm " + way + ",2,p50,";
      assertEquals(1, outcome.lines().stream().filter(line -> line.startsWith(start)).count(), start);
    }
  }

  @Test
  void theAlltoallIsTimedByMessagesAndByTheCollective() throws Exception {
    Outcome outcome = bench("mvapich-alltoall", "-n", "2", "--sizes", "8,64K", "--core", "ffm", "--csv", "-")
        .run().exits(0);
    outcome.says("messages by cells [us]", "collective [us]", "ratio: to messages by cells", "Fig. 11",
        "25 % for large");
    for (String way : List.of("messages by cells", "messages", "collective")) {
      for (int bytes : new int[] {8, 65536}) {
        String start = "mvapich-alltoall,ffm %s,%d,p50,".formatted(way, bytes);
        assertEquals(1, outcome.lines().stream().filter(line -> line.startsWith(start)).count(), start);
      }
    }
    Outcome.here("bench", "paper", "mvapich-alltoall", "--sizes", "8M").exits(2)
        .says("--sizes must be 1 to 4M, not 8388608");
  }

  @Test
  void bypassAndLmtAreSwitchedOffOneAtATime() throws Exception {
    Path csv = directory.resolve("switched.csv");
    bench("mpich2-latency-bandwidth", "--sizes", "0,16K", "--core", "java")
        .add("--csv", csv.toString())
        .variable("PATH", directory)
        .run()
        .exits(0)
        .prints("java no bypass", "java no LMT", "the bypass saves", "Fig. 3b", "about 130 MiB/s")
        .prints("openmpi is left out: mpicc.openmpi, mpirun.openmpi not on PATH", "mpich is left out: ");
    List<String> lines = Files.readAllLines(csv);
    for (String variant : List.of("java", "java no bypass", "java no LMT", "floor")) {
      for (int bytes : new int[] {0, 16384}) {
        String start = "latency-untouched," + variant + "," + bytes + ",p50,";
        assertEquals(1, lines.stream().filter(line -> line.startsWith(start)).count(), start);
      }
    }
  }

  @Test
  void scimpichHasBlocksByTypeAndPackedBesideOnePiece() throws Exception {
    Outcome outcome = bench("scimpich", "--sizes", "8,128", "--core", "ffm", "--without-peers", "--csv", "-")
        .run().exits(0);
    outcome.says("SCI-MPICH 2002, Figs. 7 and 10", "0.90", "type of contiguous");
    for (String way : List.of("contiguous", "by type", "packed")) {
      for (int block : new int[] {8, 128}) {
        String start = "noncontig,ffm %s,%d,p50,".formatted(way, block);
        assertEquals(1, outcome.lines().stream().filter(line -> line.startsWith(start)).count(), start);
      }
    }
    Outcome.here("bench", "paper", "scimpich", "--sizes", "12").exits(2).says("powers of two from 8 to 256K");
    Outcome.here("bench", "paper", "scimpich", "-n", "4").exits(2).says("-n has no meaning here");
  }

  @Test
  void scimpichSparseHasWalksOnEachWindowAndByEachNumberOfRanks() throws Exception {
    Path page = directory.resolve("page.html");
    Outcome outcome = Launch.adrastea(shm, "bench", "paper", "scimpich-sparse", "--quick", "--sizes", "8,24,64K")
        .add("--core", "ffm", "--peers", "none", "--ranks", "2,3", "--csv", "-", "--html", page.toString())
        .quickThroughout().run().exits(0);
    outcome.says("Latency of a put (SCI-MPICH 2002, Figs. 9 and 11): part of a walk with the fence", "Fig. 12",
        "takes 3 times as long as by messages over SCI", "flushes what its CPU has of its own");
    for (int bytes : new int[] {8, 24, 65536}) {
      for (String who : List.of("floor", "ffm-shared", "ffm/cma", "ffm/handler")) {
        QuickBench.has(outcome, "scimpich-sparse,%s put,%d,".formatted(who, bytes));
        QuickBench.has(outcome, "scimpich-sparse,%s get,%d,".formatted(who, bytes));
      }
      for (int ranks : new int[] {2, 3}) {
        QuickBench.has(outcome, "scimpich-sparse,ffm-shared put by %d ranks,%d,".formatted(ranks, bytes));
      }
    }
    assertTrue(Files.readString(page).contains("ffm/cma put"));
    Outcome.here("bench", "paper", "scimpich-sparse", "--sizes", "12").exits(2)
        .says("--sizes must be multiples of 8 from 8 to 128K, not 12");
    Outcome.here("bench", "paper", "scimpich-sparse", "-n", "4").exits(2).says("-n has no meaning here: --ranks 4");
    Outcome.here("bench", "paper", "scimpich-sparse", "--ranks", "1").exits(2)
        .says("--ranks must be numbers from 2 to 64, not 1");
    Outcome.here("bench", "paper").exits(0).prints("scimpich-sparse ");
  }

  private Launch bench(String experiment, String... words) {
    return Launch.adrastea(shm, "bench", "paper", experiment).quickThroughout().add(QUICK).add(words);
  }
}
