package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.adrastea.link.pipe.PipeDirectory;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ranks that Slurm's {@code srun}, Open MPI's {@code mpirun} and MPICH's {@code mpiexec} have started, in Java, in C
 * and both in one job, without a wrapper or a setting. What is not installed is skipped, by its name.
 */
class LaunchersIT {
  private static final String ROUNDS = "20";
  private static final Pattern REASON = Pattern.compile("rank \\d( \\(process \\d+\\))? has failed|failed: rank \\d");

  private static final String[] EXCHANGE =
      {Launch.javaProgram().toString(), "--enable-native-access=ALL-UNNAMED", "-cp",
        Launch.jar() + File.pathSeparator + Launch.classes(), "io.adrastea.PipesRank", "exchange"};

  @TempDir
  static Path home;

  private static String missing; // what a Slurm lacks here; empty: nothing
  private static SlurmNodes slurm;
  private static Throwable unstarted; // why Slurm has not started although it lacks nothing

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  @TempDir
  Path directory;

  /** Launchers of others. */
  enum Launcher {
    SRUN, MPIRUN, MPIEXEC
  }

  /** Which programs are the two ranks. */
  enum Ranks {
    JAVA, C, MIXED
  }

  /** A Slurm that does not start fails the tests that need it, and no others. */
  @BeforeAll
  static void startSlurm() throws Exception {
    missing = SlurmNodes.missing();
    if (missing.isEmpty()) {
      try {
        slurm = SlurmNodes.start(home);
      } catch (Exception | AssertionError e) {
        unstarted = e;
      }
    }
  }

  @AfterAll
  static void endSlurm() throws InterruptedException {
    if (slurm != null) {
      slurm.end();
    }
  }

  private Launch launcher(Launcher launcher, String... words) {
    return switch (launcher) {
      case SRUN -> ofSlurm("srun").add(words);
      case MPIRUN -> mpirun().add(words);
      case MPIEXEC -> mpiexec().add(words);
    };
  }

  private Launch ofSlurm(String command) {
    assumeTrue(missing.isEmpty(), missing);
    if (unstarted != null) {
      throw new AssertionError("Slurm is installed and does not start", unstarted);
    }
    return Launch.command(slurm.command()).add(command).variable("SLURM_CONF", slurm.environment().get("SLURM_CONF"))
        .set("shm.dir", shm.path());
  }

  private Launch mpirun() {
    Path mpirun = Path.of("/usr/bin/mpirun.openmpi");
    assumeTrue(Files.isExecutable(mpirun), "no " + mpirun + " (apt-get install openmpi-bin)");
    return Launch.command(mpirun.toString(), "--oversubscribe")
        .variable("OMPI_ALLOW_RUN_AS_ROOT", 1)
        .variable("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", 1)
        .set("shm.dir", shm.path());
  }

  private Launch mpiexec() {
    Path mpiexec = Path.of("/usr/bin/mpiexec.hydra");
    assumeTrue(Files.isExecutable(mpiexec), "no " + mpiexec + " (apt-get install mpich)");
    return Launch.command(mpiexec.toString()).set("shm.dir", shm.path());
  }

  private static String[] java(String program, String... words) {
    return Stream.concat(
        Stream.of(Launch.javaProgram().toString(), "--enable-native-access=ALL-UNNAMED", "-cp",
            Launch.jar() + File.pathSeparator + Launch.classes(), "io.adrastea.it." + program),
        Stream.of(words)).toArray(String[]::new);
  }

  private static String[] c(String program, String... words) {
    return Stream.concat(Stream.of(CProgram.of(program)), Stream.of(words)).toArray(String[]::new);
  }

  static Stream<Arguments> everyLauncherAndRanks() {
    return Stream.of(Launcher.values())
        .flatMap(launcher -> Stream.of(Ranks.values()).map(ranks -> Arguments.of(launcher, ranks)));
  }

  /** Two ranks of these programs. */
  private Launch pair(Launcher launcher, Ranks ranks, String[] ofJava, String[] ofC) throws Exception {
    if (ranks != Ranks.MIXED) {
      return launcher(launcher, "-n", "2").add(ranks == Ranks.C ? ofC : ofJava);
    }
    if (launcher != Launcher.SRUN) {
      return launcher(launcher, "-n", "1").add(ofJava).add(":", "-n", "1").add(ofC);
    }
    Path programs = Files.writeString(directory.resolve("programs"),
        "0 %s%n1 %s%n".formatted(String.join(" ", ofJava), String.join(" ", ofC)));
    return launcher(launcher, "-n", "2", "--multi-prog", programs.toString());
  }

  /** How often it was printed. A line may begin behind the one of another rank, which a launcher has put before it. */
  private static void printed(Outcome outcome, int times, String text) {
    assertEquals(times, Pattern.compile(text).matcher(outcome.out()).results().count(), outcome::toString);
  }

  @ParameterizedTest
  @MethodSource("everyLauncherAndRanks")
  void ranksMeetInBarriers(Launcher launcher, Ranks ranks) throws Exception {
    String file = directory.resolve("array").toString();
    printed(pair(launcher, ranks, java("BarrierRank", file, ROUNDS), c("barrier", file, ROUNDS)).run().exits(0), 2,
        ROUNDS + " rounds");
  }

  /** Reductions among them, whose results each rank checks; then rank 1 leaves, and rank 0 goes on. */
  @ParameterizedTest
  @MethodSource("everyLauncherAndRanks")
  void ranksComputeTogether(Launcher launcher, Ranks ranks) throws Exception {
    String[] words = {"mixed", ROUNDS, "survivors"};
    Outcome outcome = pair(launcher, ranks, java("CollectiveRank", words), c("collective", words)).run().exits(0);
    printed(outcome, 2, ROUNDS + " rounds");
    printed(outcome, 2, "survived");
  }

  @ParameterizedTest
  @MethodSource("everyLauncherAndRanks")
  void aRankThatIsKilledEndsTheOthers(Launcher launcher, Ranks ranks) throws Exception {
    try (Child job = lingering(launcher, ranks)) {
      ProcessHandle.of(firstReady(job)).orElseThrow().destroyForcibly();
      Outcome outcome = job.input("").await();
      assertNotEquals(0, outcome.code(), outcome::toString);
      List<String> reasons = outcome.toString().lines().filter(REASON.asPredicate()).toList();
      if (launcher == Launcher.SRUN || !reasons.isEmpty()) { // mpirun may have ended the other rank by then
        assertEquals(1, reasons.size(), outcome::toString);
      }
      job.awaitNobody();
    }
  }

  @ParameterizedTest
  @MethodSource("everyLauncherAndRanks")
  void theEndOfTheLauncherEndsTheRanks(Launcher launcher, Ranks ranks) throws Exception {
    try (Child job = lingering(launcher, ranks)) {
      firstReady(job);
      job.signal("KILL");
      job.awaitNobody();
    }
  }

  /** Two ranks that wait for each other, both ready. */
  private Child lingering(Launcher launcher, Ranks ranks) throws Exception {
    return pair(launcher, ranks, java("LingerRank", "wait"), c("linger", "1", "any")).start();
  }

  private static long firstReady(Child job) throws InterruptedException {
    job.awaitOutput("ready \\d+\\R(.*\\R)*.*ready \\d+"); // both
    return job.awaitNumber("ready (\\d+)");
  }

  @ParameterizedTest
  @EnumSource
  void aRankThatThrowsEndsTheStepWithItsReason(Launcher launcher) throws Exception {
    Outcome outcome = launcher(launcher, "-n", "2").add(java("LingerRank", "fail")).run();
    assertNotEquals(0, outcome.code(), outcome::toString);
    assertEquals(1, outcome.err().lines()
        .filter(line -> line.equals("Exception in thread \"main\" java.lang.IllegalStateException: meant to fail"))
        .count(), outcome::toString);
  }

  @ParameterizedTest
  @EnumSource
  void aRankThatAbortsEndsTheOthers(Launcher launcher) throws Exception {
    Outcome outcome = launcher(launcher, "-n", "3").add(java("BugRank", "abort")).run();
    assertNotEquals(0, outcome.code(), outcome::toString);
    assertEquals(1, outcome.err().lines()
        .filter(line -> line.equals("adrastea: rank 1 has failed: it aborted the job with exit code 7"))
        .count(), outcome::toString);
  }

  @Test
  void coreJavaNeedsAPortToMpiexec() throws Exception {
    String[] program = java("BarrierRank", directory.resolve("array").toString(), ROUNDS);
    Outcome refused = launcher(Launcher.MPIEXEC, "-n", "2").add(program).set("core", "java").run();
    assertNotEquals(0, refused.code(), refused::toString);
    refused.says("the way to mpiexec: the core of this rank, java, can read no inherited descriptor; start the program "
        + "by mpiexec -pmi-port, or let adrastea.core be auto, ffm, jni or jna");
    for (String core : List.of("java", "ffm")) {
      printed(launcher(Launcher.MPIEXEC, "-pmi-port", "-n", "2").add(program).set("core", core).run().exits(0), 2,
          ROUNDS + " rounds");
    }
  }

  @Test
  void coreJniReadsAnInheritedDescriptor() throws Exception {
    printed(launcher(Launcher.MPIEXEC, "-n", "2")
        .add(java("BarrierRank", directory.resolve("array").toString(), ROUNDS)).set("core", "jni").run().exits(0), 2,
        ROUNDS + " rounds");
  }

  /** They exchange what node they are on, and need not wait for the time in which ranks join. */
  @ParameterizedTest
  @EnumSource(names = {"JAVA", "C"})
  void ranksOfMpiexecThatShareNoMemoryAreNamedAtOnce(Ranks ranks) throws Exception {
    Path other = Files.createDirectory(directory.resolve("other"));
    String file = directory.resolve("array").toString();
    String[] program = ranks == Ranks.JAVA ? java("BarrierRank", file, ROUNDS) : c("barrier", file, ROUNDS);
    Outcome outcome = launcher(Launcher.MPIEXEC, "-n", "1").add(program).add(":", "-n", "1", "-env", "ADRASTEA_SHM_DIR",
        other.toString()).add(program).set("links", "shm").run();
    assertNotEquals(0, outcome.code(), outcome::toString);
    outcome.says("rank 1 shares no memory with rank 0: the one is on node ",
        "start all ranks on one host and let ADRASTEA_SHM_DIR name one directory that all of "
            + "them see");
  }

  /** Each has a directory of its own, and they reach each other by sockets. */
  @Test
  void ranksOfMpiexecOnSeveralNodesMeet() throws Exception {
    Path other = Files.createDirectory(directory.resolve("other"));
    try (PipeDirectory pipes = PipeDirectory.create()) {
      String[] program = Stream.of(
          Stream.of(Launch.javaProgram().toString(), "--enable-native-access=ALL-UNNAMED"),
          pipes.settings("nodes").entrySet().stream().map(entry -> "-D" + entry.getKey() + "=" + entry.getValue()),
          Stream.of("-cp", Launch.jar() + File.pathSeparator + Launch.classes(), "io.adrastea.PipesRank", "exchange"))
          .flatMap(words -> words).toArray(String[]::new);
      Outcome outcome = launcher(Launcher.MPIEXEC, "-n", "2").add(program).add(":", "-n", "1", "-env",
          "ADRASTEA_SHM_DIR", other.toString()).add(program).run().exits(0);
      outcome.prints("sources add up to 3", "rank 0 done", "rank 1 done", "rank 2 done");
    }
  }

  /** Two on each node, which has a directory of its own, and they reach those of the other one by TCP. */
  @ParameterizedTest
  @ValueSource(strings = {"pmi2", "pmix"})
  void ranksOfSrunOnSeveralNodesMeet(String mpi) throws Exception {
    for (int node = 0; node < 2; node++) {
      Files.createDirectory(directory.resolve(Integer.toString(node)));
    }
    meet(launcher(Launcher.SRUN, "--mpi=" + mpi, "-N", "2", "-n", "4", "sh", "-c").add(
        "ADRASTEA_SHM_DIR=%s/$SLURM_NODEID exec %s".formatted(directory, String.join(" ", EXCHANGE))));
  }

  /** A host has a name and a directory of its own; what takes the place of ssh starts Open MPI's daemon there. */
  @Test
  void ranksOfMpirunOnSeveralNodesMeet() throws Exception {
    Launch mpirun = mpirun();
    assumeTrue(Launch.command("unshare", "-u", "true").run().code() == 0,
        "no right to give a host a name (unshare -u)");
    Path agent = Files.writeString(directory.resolve("agent"), """
        #!/bin/sh
        while [ "${1#-}" != "$1" ]; do shift; done
        host=$1; shift
        mkdir -p %1$s/$host
        ADRASTEA_SHM_DIR=%1$s/$host exec unshare -u sh -c "hostname $host; $*"
        """.formatted(directory));
    assertTrue(agent.toFile().setExecutable(true));
    meet(mpirun.add("--prefix", "/usr", "--bind-to", "none", "--mca", "plm_rsh_agent", agent.toString(), "--host",
        "one:2,two:2", "--mca", "oob_tcp_if_include", "lo", "-x", "ADRASTEA_LINKS", "-x", "ADRASTEA_TCP_ADDRESSES",
        "-n",
        "4").add(EXCHANGE));
  }

  private static void meet(Launch launch) throws Exception {
    launch.set("links", "shm,tcp").set("tcp.addresses", "127.0.0.0/8").run().exits(0)
        .prints("sources add up to 6", "rank 0 done", "rank 1 done", "rank 2 done", "rank 3 done");
  }

  @ParameterizedTest
  @EnumSource(names = {"JAVA", "C"})
  void aBindingOfTheLauncherHolds(Ranks ranks) throws Exception {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "there is one CPU");
    String file = directory.resolve("array").toString();
    String[] program = ranks == Ranks.JAVA ? java("BarrierRank", file, "1") : c("barrier", file, "1");
    Outcome outcome = mpirun().add("--bind-to", "core", "-n", "1").add(program).set("bind", "0").run();
    assertNotEquals(0, outcome.code(), outcome::toString);
    outcome.says("=0, but mpirun.openmpi (process ", " has bound this process to CPUs ",
        "let the launcher bind nothing (srun --cpu-bind=none, mpirun --bind-to none, mpiexec -bind-to none)");
    mpirun().add("--bind-to", "none", "-n", "1").add(program).set("bind", "0").run().exits(0);
  }

  @Test
  void nodesOfSlurmThatShareMemoryAreOneNode() throws Exception {
    String file = directory.resolve("array").toString();
    Outcome outcome =
        launcher(Launcher.SRUN, "-N", "2", "-n", "2").add(CProgram.of("barrier"), file, ROUNDS).run().exits(0);
    printed(outcome, 2, ROUNDS + " rounds");
  }

  @Test
  void twoJobsInOneStepFollowEachOther() throws Exception {
    String program = "%s %s %s".formatted(CProgram.of("barrier"), directory.resolve("array"), ROUNDS);
    Outcome outcome =
        launcher(Launcher.SRUN, "-n", "2", "sh", "-c").add(program + "; " + program).run().exits(0);
    printed(outcome, 4, ROUNDS + " rounds");
  }

  /** Where two containers of a step have no directory in common, the ranks do not find each other. */
  @ParameterizedTest
  @EnumSource(names = {"JAVA", "C"})
  void nodesOfSlurmThatShareNoMemoryAreNamed(Ranks ranks) throws Exception {
    Path first = Files.createDirectory(directory.resolve("0"));
    Path second = Files.createDirectory(directory.resolve("1"));
    String file = directory.resolve("array").toString();
    String[] program = ranks == Ranks.JAVA ? java("BarrierRank", file, ROUNDS) : c("barrier", file, ROUNDS);
    Outcome outcome = launcher(Launcher.SRUN, "-N", "2", "-n", "2", "sh", "-c")
        .add("ADRASTEA_SHM_DIR=%s/$SLURM_NODEID exec %s".formatted(directory, String.join(" ", program)))
        .set("join.timeout", TimeUnit.SECONDS.toMillis(2))
        .run();
    assertNotEquals(0, outcome.code(), outcome::toString);
    // What is not found in the time is told by all ranks that are not on the node of rank 0.
    outcome.says("Slurm has this rank on node 1 of 2 (n2); use srun ");
    for (Path node : List.of(first, second)) {
      try (var files = Files.list(node)) {
        assertEquals(List.of(), files.toList());
      }
    }
  }

  @Test
  void aProgramInABatchScriptIsToldOfSrun() throws Exception {
    Launch.rank(shm, "0123456789abcdef", 0, 1, "io.adrastea.it.BarrierRank", directory.resolve("array").toString(), "1")
        .set("job", "").set("rank", "").set("size", "")
        .variable("SLURM_JOB_ID", "17")
        .variable("SLURM_PROCID", "0")
        .variable("SLURM_NTASKS", "4")
        .run()
        .exits(0)
        .says(
            "adrastea: a job of one rank: Slurm's job 17 has 4 tasks, and this process is not one of them; start it by"
                + " srun");
  }

  @Test
  void aBatchScriptIsToldOfSrunAndStartsRanksByIt() throws Exception {
    Path array = directory.resolve("array");
    Path said = directory.resolve("said");
    Path script = Files.writeString(directory.resolve("script"), """
        #!/bin/sh
        %1$s %2$s
        srun -n 2 %1$s %3$s
        """.formatted(String.join(" ", java("BarrierRank", array.toString())), "1", ROUNDS));
    ofSlurm("sbatch").add("--wait", "-n", "2", "-o", said.toString(), script.toString()).run().exits(0);
    Outcome outcome = new Outcome(0, Files.readString(said), "");
    printed(outcome, 1,
        "adrastea: a job of one rank: Slurm's job \\d+ has 2 tasks, and this process is not one of them; "
            + "start it by srun ");
    printed(outcome, 1, " 1 rounds");
    printed(outcome, 2, " " + ROUNDS + " rounds");
  }

  @Test
  void slurmAndItsLauncherListenOnTheLoopbackAddressAlone() throws Exception {
    try (Child job = lingering(Launcher.SRUN, Ranks.C)) {
      firstReady(job);
      List<String> addresses = slurm.listening();
      assertTrue(addresses.size() > 3, addresses::toString); // those of three daemons, and srun's
      assertEquals(List.of(), addresses.stream().filter(address -> !address.startsWith("0100007F:")).toList());
    }
  }

  @Test
  void launchersInsideOfLaunchersAreRefusedOrChosen() throws Exception {
    String file = directory.resolve("array").toString();
    Launch nested = launcher(Launcher.MPIRUN, "-n", "2").add(CProgram.of("barrier"), file, ROUNDS)
        .variable("SLURM_STEP_ID", "0").variable("SLURM_PROCID", "5").variable("SLURM_NTASKS", "6");
    Outcome outcome = nested.run();
    assertNotEquals(0, outcome.code(), outcome::toString);
    outcome.says("two launchers disagree about this process: rank 5 of 6 by slurm (SLURM_STEP_ID=0, SLURM_PROCID=5, "
        + "SLURM_NTASKS=6), rank ", "choose one by ADRASTEA_BOOTSTRAP=slurm or pmix");
    nested.set("bootstrap", "pmix").run().exits(0);
  }

  @ParameterizedTest
  @CsvSource({"SRUN, 'slurm (SLURM_STEP_ID=0, '", "MPIRUN, pmix (PMIX_NAMESPACE=", "MPIEXEC, pmi (PMI_FD="})
  void infoTellsWhichLauncherWasFound(Launcher launcher, String said) throws Exception {
    launcher(launcher, "-n", "1").add(Launch.javaProgram().toString(), "-jar", Launch.jar().toString(), "info")
        .run().exits(0).prints("rank 0 of 1 by " + said);
  }

  @Test
  void ourLauncherCountsBeforeTheOneThatStartedIt() throws Exception {
    String file = directory.resolve("array").toString();
    Launch.adrastea(shm, "run", "-n", "2", "--label", "never", "--", CProgram.of("barrier"), file, ROUNDS)
        .variable("SLURM_STEP_ID", "0").variable("SLURM_PROCID", "0").variable("SLURM_NTASKS", "1")
        .run()
        .exits(0)
        .prints("c: 20 rounds");
  }
}
