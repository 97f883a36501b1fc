package io.adrastea.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.topology.Cpus;
import java.nio.file.Files;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class InfoIT {
  private static CommandLineRun info;
  private static CommandLineRun paths;

  @BeforeAll
  static void run() throws Exception {
    info = CommandLineRun.of("info");
    paths = CommandLineRun.of("info", "--paths", "--core", "java,java-ffm");
  }

  @Test
  void shouldTellThatAllCoresWorkAndWhereTheLibraryIsFrom() {
    assertEquals(0, info.exitCode(), info.err());
    assertContains("(?m)^  jar: /native/.*libadrastea.so: loaded$", info.out());
    assertContains("(?m)^  ffm +works, chosen by auto", info.out());
    assertContains("(?m)^  jni +works +lacks ", info.out());
    assertContains("(?m)^  java +works +lacks sleeping until woken.*nap.*\\n +lacks cheap waits", info.out());
    assertContains("(?m)^  jna +works +lacks ", info.out());
    assertContains("(?m)^  huge pages +(of \\d+ KiB for shared allocations|not offered to shared allocations): ",
        info.out());
    assertEquals("", info.err());
  }

  @Test
  void shouldTellWhyACoreDoesNotWork() throws Exception {
    ProcessBuilder builder = CommandLineRun.process("info");
    builder.environment().put("ADRASTEA_LIBRARY", "/nowhere/libadrastea.so");
    String out = CommandLineRun.of(builder).out();
    assertContains("(?m)^  ffm +unusable .*/nowhere/libadrastea.so", out);
    assertContains("(?m)^  java +works +lacks", out);
    assertContains(
        "(?m)^  adrastea.library +/nowhere/libadrastea.so +environment +path +WRONG, .*which no core can use", out);
  }

  @Test
  void shouldMarkSettingsThatRanksRefuse() throws Exception {
    ProcessBuilder builder = CommandLineRun.process("info");
    builder.environment().put("ADRASTEA_CELLS", "bogus");
    builder.environment().put("ADRASTEA_SPINS", " ");
    builder.environment().put("ADRASTEA_CORE", "bogus");
    builder.environment().put("ADRASTEA_SHM_DIR", "/nowhere");
    builder.environment().put("ADRASTEA_BOX_LINES", "64");
    builder.environment().put("ADRASTEA_BOX_MESSAGE_BYTES", "16384");
    CommandLineRun run = CommandLineRun.of(builder);
    assertEquals(0, run.exitCode(), run.err());
    assertContains(
        "(?m)^  adrastea.cells +bogus +environment +cells +WRONG, .*allowed is a whole number from 2 to 65536 "
            + "\\(cells\\)$",
        run.out());
    assertContains("(?m)^  adrastea.spins +2000 +default +polls +how often a waiting rank polls", run.out());
    assertContains("(?m)^  adrastea.core +bogus +environment +[a-z|]+ +WRONG, .*no core 'bogus'; there are: auto, ffm",
        run.out());
    assertContains("(?m)^  adrastea.shm.dir +/nowhere +environment +path +WRONG, .*there is no directory /nowhere",
        run.out());
    assertContains("(?m)^  adrastea.box.message.bytes +16384 +environment +bytes.auto +WRONG, .*allowed is 0 to 2016",
        run.out());
    assertEquals(4, run.out().lines().filter(line -> line.contains("WRONG")).count(), run.out());
  }

  @Test
  void shouldPrintTheLayoutOfTheGoldenFile() throws Exception {
    CommandLineRun run = CommandLineRun.of("info", "--layout");
    assertEquals(
        Files.readString(CommandLineRun.ROOT.resolve("tests/layout/layout.golden")), run.out());
  }

  @Test
  void shouldPrintWhichWayCollectivesGo() throws Exception {
    String out = CommandLineRun.of("info", "--collectives").out();
    assertContains("(?m)^  bcast +1 to 1024 +0 to 48 +everybody reads the root's line$", out);
    assertContains("(?m)^  allreduce +2 +49 to \\d+ +through stages, in rounds$", out);
    assertContains(
        "(?m)^  allgather +2 to 1024 +\\d+ to 1099511627776 +straight from memory that all can reach, else",
        out);
    assertContains("(?m)^With adrastea.check=collectives$", out);
  }

  @Test
  void shouldTellHowEachCoreCopiesAndWhatItReaches() {
    String out = info.out();
    assertContains("(?m)^  ffm +copies: copy: memcpy.*\\n +stream: memcpy.*\\n +a CPU's caches .*$", out);
    assertContains("(?m)^  (ffm|jni|jna) +CMA: (process_vm_readv|refused)", out);
    assertContains("(?m)^  java +CMA: not from Java alone$", out);
    assertContains("(?m)^  ffm +XPMEM: .*/dev/xpmem", out);
  }

  @Test
  void shouldPrintTheWayOfEachSizeAndKindOfBuffersBetweenTwoRanks() {
    assertEquals(0, paths.exitCode(), paths.err());
    assertEquals("", paths.err());
    String out = paths.out();
    int second = out.indexOf("Messages from a rank on core java to a rank on core ffm");
    assertTrue(out.startsWith("Messages from a rank on core java to a rank on core java") && second > 0, out);
    assertContains("(?m)^  SENDER'S +RECEIVER'S +BYTES +WAY$", out);
    assertContains("(?m)^  array +any +0 to 1,024 +both: fastbox$", out);
    assertContains("(?m)^  array +any +1,025 to 16,384 +both: fastbox; in a stream both: cells$", out);
    assertContains("(?m)^  array +any +16,385 to [0-9,]+ +both: cells$", out);
    assertContains("(?m)^  array +array +[0-9,]+ to [0-9,]+ +both: ring$|^  array +array +from [0-9,]+ +both: ring$",
        out);
    assertContains("(?m)^  array +shared +from [0-9,]+ +sender: shared$", out);
    assertContains("(?m)^  shared +any +1,025 to 2,048 +both: fastbox; in a stream both: cells$", out);
    assertContains("(?m)^  shared +any +2,049 to [0-9,]+ +receiver: shared$", out);
    assertContains("(?m)^  shared +shared +from [0-9,]+ +both: shared$", out);
    assertContains("(?m)^  native +native +from [0-9,]+ +both: ring$", out.substring(0, second));
    assertContains("(?m)^  native +any +16,385 to 65,536 +both: cells$", out);
    assertContains("(?m)^  cma +not from core java$", out.substring(0, second));
    assertContains("(?m)^  cma +receiver: .*tried between two processes.*; sender: not from core java$",
        out.substring(second));
  }

  @Test
  void shouldTellWhatTheSettingsRuleOut() throws Exception {
    ProcessBuilder builder = CommandLineRun.process("info", "--paths");
    builder.environment().put("ADRASTEA_LMT", "shared");
    builder.environment().put("ADRASTEA_BOX_LINES", "0");
    builder.environment().put("ADRASTEA_EAGER_BYTES", "1000");
    builder.environment().put("ADRASTEA_SPLIT_BYTES", "0");
    String out = CommandLineRun.of(builder).out();
    assertContains("(?m)^  native +any +0 to 1,000 +both: cells$", out);
    assertContains("(?m)^  native +native +from 1,001 +both: ring$", out);
    assertContains("(?m)^  shared +any +from 1,001 +receiver: shared$", out);
    assertContains("(?m)^  cma +not allowed: adrastea.lmt=shared$", out);
    assertContains("(?m)^  xpmem +not allowed: adrastea.lmt=shared$", out);
    assertContains("(?m)^  not compared: adrastea.lmt=shared$", out);
  }

  @Test
  void shouldTellHowARankReachesTheMemoryOfAWindow() throws Exception {
    String out = paths.out();
    String title = "Windows: how a rank on core java reaches memory of a rank on core ffm, by the first that fits";
    String rows = out.substring(out.indexOf(title));
    assertContains("(?m)^  direct +what Window.allocate and job.allocate gave; on every core$", rows);
    assertContains("(?m)^  xpmem +[^ ].*$", rows);
    assertContains("(?m)^  cma +not from core java$", rows);
    assertContains("(?m)^  handler +whatever nothing else can reach, and atomic calls beside cma: .*$", rows);
    ProcessBuilder forced = CommandLineRun.process("info", "--paths", "--core", "ffm");
    forced.environment().put("ADRASTEA_WINDOW", "cma");
    forced.environment().put("ADRASTEA_LMT_LEARN", "off");
    String other = CommandLineRun.of(forced).out();
    assertContains("(?m)^  not compared: adrastea.lmt.learn=off$", other);
    String fewer = other.substring(other.indexOf("Windows: how"));
    assertContains("(?m)^  direct +not allowed: adrastea.window=cma$", fewer);
    assertContains("(?m)^  cma +(works|refused by the system), tried between two processes.*$", fewer);
    assertContains("(?m)^  handler +not allowed: adrastea.window=cma$", fewer);
  }

  @Test
  void shouldTellWhatTheWaysCostBetweenTwoRanksOnOneCore() throws Exception {
    CommandLineRun run = CommandLineRun.of("info", "--paths", "--core", "ffm");
    assertEquals("", run.err());
    assertContains("(?m)^  native to native, from 262,144 bytes: .* takes [0-9,]+ ns, tried .*; [0-9,]+ messages, "
        + "[0-9,]+ trials in [0-9.]+ % of the time; ways changed: [0-9]+$", run.out());
    assertContains("(?m)^  messages that are waited for: fastbox(, from [0-9,]+ bytes (cells|fastbox))+$", run.out());
  }

  @Test
  void shouldTellWhenASettingKeepsARankFromJoining() throws Exception {
    ProcessBuilder builder = CommandLineRun.process("info", "--paths", "--core", "java");
    builder.environment().put("ADRASTEA_LMT", "cma");
    String out = CommandLineRun.of(builder).out();
    assertContains("(?m)^  none: a rank fails to join, since adrastea.lmt is 'cma', which this rank does not have",
        out);
  }

  @Test
  void shouldDrawTheRanksOnTheCpus() throws Exception {
    int cpu = Cpus.ofThread().first();
    String map = CommandLineRun.of("info", "-n", "2", "--map", cpu + "," + cpu).out();
    assertTrue(
        map.startsWith("CPUs, and the ranks that `run -n 2 --bind cpu --map %d,%d` binds to them".formatted(cpu, cpu)),
        map);
    assertContains("(?m)^ +(slower )?core  .*CPU +%d: ranks 0-1".formatted(cpu), map);
    assertContains("(?m)^  package \\d+$", map);
    String all = info.out();
    assertContains("(?m)^  CPUs +\\d+ allowed: [0-9,-]+; quota of the control groups: (none|[0-9.]+ CPUs)$", all);
    assertContains("(?m)^ +(slower )?core  .*CPU +%d: rank \\d+".formatted(cpu), all);
  }

  @Test
  void shouldTellWhichBindingItTookForGranted() throws Exception {
    String tooMany = "" + (Cpus.ofThread().count() + 1);
    CommandLineRun unsaid = CommandLineRun.of("info", "-n", tooMany);
    assertEquals(2, unsaid.exitCode());
    assertTrue(unsaid.err().contains("--bind cpu is the default of this map; `run` without"), unsaid.err());
    CommandLineRun said = CommandLineRun.of("info", "-n", tooMany, "--bind", "cpu");
    assertEquals(2, said.exitCode());
    assertFalse(said.err().contains("the default of this map"), said.err());
  }

  @Test
  void shouldRefuseCoresThatAreNone() throws Exception {
    CommandLineRun run = CommandLineRun.of("info", "--paths", "--core", "ffm-javax");
    assertEquals(2, run.exitCode());
    assertContains("no core 'javax'; there are: auto, ffm", run.err());
    assertContains("--core goes with --paths only", CommandLineRun.of("info", "--core", "ffm").err());
  }

  private static void assertContains(String pattern, String text) {
    assertTrue(
        Pattern.compile(pattern).matcher(text).find(), () -> pattern + " is not in\n" + text);
  }
}
