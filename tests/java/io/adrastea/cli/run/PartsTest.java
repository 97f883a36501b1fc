package io.adrastea.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.cli.base.CommandFailure;
import io.adrastea.cli.place.Mapping;
import io.adrastea.cli.place.Placement;
import io.adrastea.cli.run.Parts.Part;
import io.adrastea.launch.LaunchEnvironment;
import io.adrastea.topology.FakeMachine;
import io.adrastea.topology.Topology;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a command line of several parts comes to: which rank executes what, on which core and CPU. */
class PartsTest {
  private static final Origin HERE = new Origin(Path.of("").toAbsolutePath(), Map.of("PATH", "/usr/bin:/bin"), true);
  private static final Topology CPUS = FakeMachine.blank(Path.of("/nonexistent")).topology("4,6-7");

  @Test
  void ranksAreNumberedThroughInTheOrderOfTheParts() {
    List<RankPlan> plans = plans("-n 2 echo a b : cat -n : -n 2 -- echo -- c");
    assertEquals(List.of(0, 1, 2, 3, 4), plans.stream().map(RankPlan::rank).toList());
    assertEquals(
        List.of("echo a b", "echo a b", "cat -n", "echo -- c", "echo -- c"),
        plans.stream().map(PartsTest::words).toList());
    assertEquals("0 1 2 3 4", variables(plans, "ADRASTEA_RANK"));
    assertEquals("5 5 5 5 5", variables(plans, "ADRASTEA_SIZE"));
  }

  @Test
  void aPartHasOneRankUnlessItSaysOtherwise() {
    assertEquals(1, plans("true").size());
    assertEquals(3, plans("true : true : true").size());
    assertEquals(5, plans("-np 3 true : -np 2 true").size());
  }

  @Test
  void onlyALoneColonSeparatesParts() {
    List<RankPlan> plans = plans("echo a: :b :: c:d");
    assertEquals(List.of("echo a: :b :: c:d"), plans.stream().map(PartsTest::words).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-n 3 --core ffm,java true : -n 2 --core java,ffm true | ffm java ffm java ffm",
        "-n 2 --core ffm true : true | ffm ffm -",
        "true : -n 2 --core java true : true | - java java -"
      })
  void coresAreDealtWithinTheirPart(String words, String cores) {
    assertEquals(cores, variables(plans(words), "ADRASTEA_CORE"));
  }

  @ParameterizedTest
  @CsvSource({
    "-n 2 true : true, - - -",
    "-n 2 --bind cpu true : true, 4 6 7",
    "-n 2 --bind cpu true : --bind none true : true, 4 6 - 7",
    "-n 2 true : --bind cpu true : true, - - 4 -",
    "--bind none true : -n 2 --bind cpu true, - 4 6",
    "--bind cpu true : --bind cache true : --bind cpu true, 4 - 7"
  })
  void cpusAreDealtToTheBoundRanksAndTheFirstPartSpeaksForTheOthers(String words, String cpus) {
    assertEquals(cpus, variables(plans(words), "ADRASTEA_BIND"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--bind cpu java A.java : true | - taskset -c 6",
        "--bind cache java A.java : --bind numa true | taskset -c 4,6-7 taskset -c 4,6-7",
        "--bind none java A.java : true | - -"
      })
  void allButAJvmWithOneCpuAreBoundAsAWhole(String words, String binders) {
    assertEquals(
        binders,
        plans(words).stream()
            .map(plan -> plan.binder().isEmpty() ? "-" : String.join(" ", plan.binder()))
            .collect(Collectors.joining(" ")));
  }

  @Test
  void onlyJavaIsToldWhereAdrasteaIs() {
    List<RankPlan> plans = plans("java Prog.java : echo");
    assertTrue(plans.get(0).program().environment().containsKey("CLASSPATH"));
    assertEquals(Map.of(), plans.get(1).program().environment());
  }

  @Test
  void theWorkingDirectoryBelongsToItsPartAndLeadsToItsProgram() {
    List<RankPlan> plans = plans("--wdir /usr -n 2 bin/env : env : --wdir /usr/bin ./env");
    assertEquals(
        Arrays.asList(Path.of("/usr"), Path.of("/usr"), null, Path.of("/usr/bin")),
        plans.stream().map(plan -> plan.program().directory()).toList());
    assertEquals("/usr/bin/env", plans.get(0).program().command().getFirst());
    assertTrue(plans.get(3).program().command().getFirst().startsWith("/usr/bin/"));
    ProcessBuilder process = plans.get(1).process(List.of());
    assertEquals(new File("/usr"), process.directory());
    assertEquals("/usr", process.environment().get("PWD"));
    assertNull(plans.get(2).process(List.of()).directory());
  }

  @Test
  void variablesBelongToTheirPartAndStandBeforeSettingsOfAll() {
    List<RankPlan> plans = plans("-x A=1 -x B=x=y -x PATH -x ADRASTEA_SPINS=0 true : true");
    Map<String, String> first = environment(plans.get(0));
    assertEquals(List.of("1", "x=y", "0"), List.of(first.get("A"), first.get("B"), first.get("ADRASTEA_SPINS")));
    Map<String, String> second = environment(plans.get(1));
    assertFalse(second.containsKey("A"));
    assertEquals("7", second.get("ADRASTEA_SPINS"));
  }

  @Test
  void aClassPathOfAPartStandsBehindAdrasteas() {
    String path = plans("-x CLASSPATH=mine.jar java Prog.java").get(0).program().environment().get("CLASSPATH");
    assertTrue(path.endsWith(File.pathSeparator + "mine.jar"), path);
  }

  @ParameterizedTest
  @CsvSource({"core, 4", "hwthread, 4", "l3cache, -", "numa, -", "none, -"})
  void mpirunsWordsForBindingAreTaken(String word, String cpus) {
    List<RankPlan> plans = plans("--bind-to " + word + " java A.java");
    assertEquals(cpus, variables(plans, "ADRASTEA_BIND"));
    assertEquals(word.equals("l3cache") || word.equals("numa"), !plans.get(0).binder().isEmpty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "true : | part 2 of 2: no program given; a lone : stands between two programs",
        ": true | part 1 of 2: no program given",
        "-n 2 : true | part 1 of 2: no program given",
        "true : : true | part 2 of 3: no program given",
        "true : -n 3 | part 2 of 2: no program given",
        "-n 2 | no program given; it stands behind the options",
        "-n 0 true | -n is 0; allowed is 1 to 1024",
        "true : -n 0 true | part 2 of 2: -n is 0; allowed is 1 to 1024",
        "-n -1 true : true | part 1 of 2: -n is -1; allowed is 1 to 1024",
        "-n 1000 true : -n 24 true : true | the parts have 1025 ranks together; allowed is 1 to 1024",
        "true : -n two true | part 2 of 2: Invalid value for option '-np': 'two'",
        "true : -n 1 -n 2 true | part 2 of 2: option '-np' (N) should be specified only once",
        "true : --core | part 2 of 2: Missing required parameter for option '--core'",
        "true : --core fast true | part 2 of 2: --core has 'fast'; allowed are auto, ",
        "--core java,c true | --core has 'c'; allowed are auto, ",
        "true : --wrong true | part 2 of 2: Unknown option: '--wrong'",
        "true : --label never true | part 2 of 2: --label is an option of the whole job",
        "true : -Dcells=17 true | part 2 of 2: -D or --set is an option of the whole job",
        "true : --shm-dir /tmp true | part 2 of 2: --shm-dir is an option of the whole job",
        "true : --timeout 5 true | part 2 of 2: --timeout is an option of the whole job",
        "true : --output out true | part 2 of 2: --output is an option of the whole job",
        "true : --stdin 0 true | part 2 of 2: --stdin is an option of the whole job",
        "true : --oversubscribe true | part 2 of 2: --oversubscribe is an option of the whole job",
        "--wdir /nonexistent true | --wdir is '/nonexistent', and there is no such directory; make it, or name another",
        "true : --wdir /etc/passwd true | part 2 of 2: --wdir is '/etc/passwd', and that is no directory",
        "-x NOBODY_SETS_ME true | -x names the variable 'NOBODY_SETS_ME', which is not set here; write -x NOBODY",
        "-x =1 true | -x is '=1', without a name; write -x NAME=VALUE",
        "-x ADRASTEA_RANK=1 true | -x names the variable 'ADRASTEA_RANK', which the launcher gives to each rank",
        "-x ADRASTEA_CORE=ffm true | -x names the variable 'ADRASTEA_CORE', for which there is an option; write --core",
        "-x ADRASTEA_SPINS=few true | adrastea.spins is 'few' (from -x); allowed is a whole number",
        "--bind-to socket true | --bind-to is 'socket'; allowed are core, hwthread, l3cache, numa, none, or",
        "--bind cpu --bind-to core true | --bind and --bind-to say the same; leave one of them out",
        "true : -host a true | part 2 of 2: Unknown option: '-host'",
        "true : --help true | part 2 of 2: -h or --help is an option of the whole job"
      })
  void aMistakeIsNamedWithItsPart(String words, String said) {
    checkSaid(said, assertThrows(IllegalArgumentException.class, () -> partsOf(words)));
  }

  @Test
  void cIsNoCoreToChooseButAProgram() {
    Exception refused =
        assertThrows(IllegalArgumentException.class, () -> partsOf("--core c java A.java"));
    assertTrue(refused.getMessage().contains("a C rank is a program"), refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "true : no-such-program | 127 | part 2 of 2: there is no program 'no-such-program' on PATH",
        "./missing : true | 127 | part 1 of 2: there is no program './missing'",
        "true : /etc/passwd | 126 | part 2 of 2: '/etc/passwd' cannot be executed",
        "/etc/passwd | 126 | '/etc/passwd' cannot be executed",
        "--wdir /usr ./missing | 127 | there is no program '/usr/./missing'",
        "/etc | 126 | '/etc' is a directory"
      })
  void aProgramThatCannotBeExecutedIsNamedWithItsPart(String words, int code, String said) {
    CommandFailure failure = assertThrows(CommandFailure.class, () -> partsOf(words));
    assertEquals(code, failure.exitCode());
    checkSaid(said, failure);
  }

  private static void checkSaid(String said, Exception mistake) {
    assertTrue(mistake.getMessage().startsWith(said), mistake.getMessage());
  }

  /** The first part may have only options of a part here, as the others. */
  private static List<Part> partsOf(String words) {
    return Parts.of(RunArguments.ofLaterPart(List.of(words.trim().split(" "))), HERE, 1);
  }

  private static List<RankPlan> plans(String words) {
    List<Part> parts = partsOf(words);
    LaunchEnvironment job = new LaunchEnvironment("0123456789abcdef", Parts.size(parts), "1:1", null);
    return RankPlan.ofAll(parts, job, Map.of(), 0, Placement.of(CPUS, Mapping.PACKED, Parts.bindings(parts)));
  }

  /** What the process of a rank finds in a job of which all have the setting {@code spins=7}. */
  private static Map<String, String> environment(RankPlan plan) {
    Map<String, String> common = Map.of("ADRASTEA_SPINS", "7");
    return new RankPlan(plan.rank(), plan.program(), plan.binder(), common, plan.own()).process(List.of())
        .environment();
  }

  /** The program without its folder, and its arguments. */
  private static String words(RankPlan plan) {
    List<String> command = new ArrayList<>(plan.program().command());
    command.set(0, Path.of(command.get(0)).getFileName().toString());
    return String.join(" ", command);
  }

  /** The values of a variable by rank, {@code -} where there is none. */
  private static String variables(List<RankPlan> plans, String name) {
    Function<RankPlan, String> value = plan -> plan.own().getOrDefault(name, "-");
    return String.join(" ", plans.stream().map(value).toList());
  }
}
