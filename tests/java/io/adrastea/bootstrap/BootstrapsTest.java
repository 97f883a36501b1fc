package io.adrastea.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.config.Tunable;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.JoinException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which launcher started a process, from the variables of Slurm and of Open MPI, and which one counts. */
class BootstrapsTest {
  /** Nobody is asked where the others are. */
  @BeforeEach
  void letRanksUseSharedMemoryAlone() {
    System.setProperty(Tunable.LINKS.property(), "shm");
  }

  @AfterEach
  void letRanksUseAllLinks() {
    System.clearProperty(Tunable.LINKS.property());
  }

  private static final int FUZZ_INPUTS = 20_000;
  private static final int SEED = 7;

  private static final Map<String, String> TASK =
      Map.of("SLURM_JOB_ID", "17", "SLURM_STEP_ID", "0", "SLURM_PROCID", "2", "SLURM_NTASKS", "4",
          "SLURM_SRUN_COMM_HOST", "127.0.0.1", "SLURM_SRUN_COMM_PORT", "39000");
  private static final Map<String, String> MPIRUN =
      Map.of("PMIX_NAMESPACE", "817102849", "PMIX_RANK", "2", "OMPI_COMM_WORLD_SIZE", "4", "PMIX_SERVER_URI4",
          "817102848.0;tcp4://127.0.0.1:39701");

  private static Map<String, String> with(Map<String, String> variables, String... more) {
    Map<String, String> all = new HashMap<>(variables);
    for (int i = 0; i < more.length; i += 2) {
      if (more[i + 1].equals("-")) {
        all.remove(more[i]);
      } else {
        all.put(more[i], more[i + 1]);
      }
    }
    return all;
  }

  @SafeVarargs
  private static Map<String, String> all(Map<String, String>... parts) {
    Map<String, String> all = new HashMap<>();
    for (Map<String, String> part : parts) {
      all.putAll(part);
    }
    return all;
  }

  private static Bootstraps.Found auto(Map<String, String> variables) {
    return Bootstraps.choose("auto", variables).orElseThrow();
  }

  private static Membership membership(Map<String, String> variables) {
    Bootstraps.Found found = auto(variables);
    return found.by().membership(found.claim(), variables);
  }

  private static String refusal(String wanted, Map<String, String> variables) {
    return assertThrows(JoinException.class, () -> Bootstraps.choose(wanted, variables)).getMessage();
  }

  @Test
  void aTaskOfSrunIsARank() {
    assertEquals("slurm", auto(TASK).by().name());
    assertEquals("SLURM_STEP_ID=0, SLURM_PROCID=2, SLURM_NTASKS=4", auto(TASK).claim().words());
    Membership membership = membership(TASK);
    assertEquals(2, membership.rank());
    assertEquals(4, membership.size());
    assertEquals("", membership.nodeWords());
  }

  @Test
  void theTasksOfTheStepCountAndNotThoseOfTheJob() {
    assertEquals(3, membership(with(TASK, "SLURM_STEP_NUM_TASKS", "3")).size());
  }

  @Test
  void aProcessOfMpirunIsARank() {
    assertEquals("pmix", auto(MPIRUN).by().name());
    Membership membership = membership(MPIRUN);
    assertEquals(2, membership.rank());
    assertEquals(4, membership.size());
  }

  /** What a launcher has set may be anything; a message is one line. */
  @Test
  void wordsOfOthersAreOneLine() {
    assertEquals(
        "SLURM_STEP_ID=0??[31m needs SLURM_PROCID and SLURM_NTASKS too; missing: SLURM_PROCID (start the program by "
            + "its launcher, or set ADRASTEA_BOOTSTRAP)",
        refusal("auto", with(TASK, "SLURM_STEP_ID", "0\n\u001b[31m", "SLURM_PROCID", "-")));
    String longWord = "x".repeat(100);
    assertEquals("SLURM_STEP_ID=" + "x".repeat(32) + ", SLURM_PROCID=2, SLURM_NTASKS=4",
        auto(with(TASK, "SLURM_STEP_ID", longWord)).claim().words());
  }

  @ParameterizedTest
  @CsvSource({"SLURM_JOB_ID, 18", "SLURM_STEP_ID, 1", "SLURM_RESTART_COUNT, 1", "SLURM_SRUN_COMM_PORT, 39001",
    "SLURM_SRUN_COMM_HOST, 127.0.0.2"})
  void eachStartOfSrunHasANumberOfItsOwn(String variable, String value) {
    assertEquals(membership(TASK).job(), membership(with(TASK, "SLURM_PROCID", "0")).job());
    assertNotEquals(membership(TASK).job(), membership(with(TASK, variable, value)).job());
  }

  @ParameterizedTest
  @CsvSource({"PMIX_NAMESPACE, 817102850", "PMIX_SERVER_URI4, 817102848.0;tcp4://127.0.0.1:39702"})
  void eachStartOfMpirunHasANumberOfItsOwn(String variable, String value) {
    assertEquals(membership(MPIRUN).job(), membership(with(MPIRUN, "PMIX_RANK", "0")).job());
    assertNotEquals(membership(MPIRUN).job(), membership(with(MPIRUN, variable, value)).job());
  }

  /** The published values of FNV-1a for 64 bits. */
  @ParameterizedTest
  @CsvSource({"'', cbf29ce484222325", "a, af63dc4c8601ec8c", "foobar, 85944171f73967e8"})
  void aJobNumberIsAHashOfItsName(String name, String number) {
    assertEquals(number, Long.toHexString(Variables.jobNumber(name)));
  }

  @Test
  void severalThatAgreeAreOne() {
    assertEquals("slurm", auto(all(TASK, MPIRUN)).by().name());
  }

  @Test
  void severalThatDisagreeAreRefusedByName() {
    Map<String, String> nested = all(TASK, with(MPIRUN, "PMIX_RANK", "1"));
    assertEquals(
        "two launchers disagree about this process: rank 2 of 4 by slurm (SLURM_STEP_ID=0, SLURM_PROCID=2, "
            + "SLURM_NTASKS=4), rank 1 of 4 by pmix (PMIX_NAMESPACE=817102849, PMIX_RANK=1, OMPI_COMM_WORLD_SIZE=4); "
            + "choose one by adrastea.bootstrap=slurm or pmix",
        refusal("auto", nested));
    assertEquals(1, Bootstraps.choose("pmix", nested).orElseThrow().claim().rank());
    assertEquals(2, Bootstraps.choose("slurm", nested).orElseThrow().claim().rank());
    assertTrue(Bootstraps.choose("none", nested).isEmpty());
  }

  @Test
  void aWayThatClaimsNothingIsRefusedWhereItIsAskedFor() {
    assertEquals(
        "adrastea.bootstrap is 'pmix', but this process was not started so: its variables are missing; leave "
            + "adrastea.bootstrap out, or start it in that way",
        refusal("pmix", TASK));
    assertThrows(ArgumentException.class, () -> Bootstraps.choose("mpirun", TASK));
  }

  @Test
  void aBatchScriptIsNoTask() {
    Map<String, String> script = with(TASK, "SLURM_STEP_ID", "-", "SLURM_PROCID", "0");
    assertTrue(Bootstraps.choose("auto", script).isEmpty());
    assertEquals(
        "adrastea: a job of one rank: Slurm's job 17 has 4 tasks, and this process is not one of them; start it by "
            + "srun (adrastea.bootstrap=none says that it is meant so)",
        SlurmBootstrap.warningWithoutStep(script).orElseThrow());
    assertTrue(SlurmBootstrap.warningWithoutStep(with(script, "SLURM_NTASKS", "1")).isEmpty());
    assertTrue(SlurmBootstrap.warningWithoutStep(Map.of()).isEmpty());
  }

  @Test
  void srunWithPmixIsSrun() {
    Map<String, String> both = with(all(TASK, MPIRUN), "OMPI_COMM_WORLD_SIZE", "-");
    assertEquals(1, Bootstraps.claims(both).size());
    assertEquals("slurm", auto(both).by().name());
  }

  @Test
  void aNamespaceWithoutAServerIsRefused() {
    String said = refusal("auto", with(MPIRUN, "PMIX_SERVER_URI4", "-"));
    assertEquals(
        "PMIX_NAMESPACE=817102849, but no PMIX_SERVER_URI tells where its server is: the variables of mpirun are here "
            + "in part; start the program by mpirun, or set adrastea.bootstrap=none for a job of one",
        said);
  }

  @ParameterizedTest
  @CsvSource({
    "SLURM_PROCID, -, 'SLURM_STEP_ID=0 needs SLURM_PROCID and SLURM_NTASKS too; missing: SLURM_PROCID ('",
    "SLURM_NTASKS, -, 'SLURM_STEP_ID=0 needs SLURM_PROCID and SLURM_NTASKS too; missing: SLURM_NTASKS ('",
    "SLURM_PROCID, 4, 'SLURM_PROCID is ''4'' and SLURM_NTASKS is ''4''; allowed are whole numbers, a size from 1 to '",
    "SLURM_PROCID, two, 'SLURM_PROCID is ''two'' and '",
    "SLURM_PROCID, ' 2', 'SLURM_PROCID is '' 2'' and '",
    "SLURM_NTASKS, 0, 'SLURM_NTASKS is ''0''; allowed'",
    "SLURM_NTASKS, 99999999999999999999, 'SLURM_NTASKS is ''99999999999999999999''; allowed'",
    "SLURM_NTASKS, 1025, 'SLURM_NTASKS is ''1025''; allowed'"
  })
  void badNumbersAreRefusedByName(String variable, String value, String part) {
    String said = refusal("auto", with(TASK, variable, value));
    assertTrue(said.contains(part), said);
  }

  @Test
  void severalNodesAreToldByTheLauncher() {
    assertEquals(
        "Slurm has this rank on node 1 of 2 (n2), and adrastea.links lets them use shared memory alone; use srun -N 1",
        membership(with(TASK, "SLURM_STEP_NUM_NODES", "2", "SLURM_NODEID", "1", "SLURMD_NODENAME", "n2")).nodeWords());
    assertEquals(
        "mpirun has 1 of 4 ranks on the node of this one, and adrastea.links lets them use shared memory alone",
        membership(with(MPIRUN, "OMPI_COMM_WORLD_LOCAL_SIZE", "1")).nodeWords());
    assertEquals("", membership(with(MPIRUN, "OMPI_COMM_WORLD_LOCAL_SIZE", "4")).nodeWords());
  }

  /** Whatever is in the variables, a process is a rank or is refused in one line. */
  @Test
  void anyValuesGiveARankOrARefusal() {
    Random random = new Random(SEED);
    String[] names = all(TASK, MPIRUN, Map.of("SLURM_STEP_NUM_TASKS", "4", "SLURM_STEP_NUM_NODES", "1",
        "OMPI_COMM_WORLD_LOCAL_SIZE", "4")).keySet().stream().sorted().toArray(String[]::new);
    String[] values = {"", "0", "1", "2", "4", "-1", "x", "%s%n", "\n", "1\n", "99999999999", "1024", "1025", "٣"};
    Set<String> kinds = new HashSet<>();
    for (int input = 0; input < FUZZ_INPUTS; input++) {
      Map<String, String> variables = new HashMap<>();
      for (String name : names) {
        if (random.nextInt(4) > 0) {
          variables.put(name, values[random.nextInt(values.length)]);
        }
      }
      try {
        Bootstraps.choose("auto", variables).ifPresent(found -> {
          assertTrue(found.claim().rank() >= 0 && found.claim().rank() < found.claim().size(), variables::toString);
          found.by().membership(found.claim(), variables);
          kinds.add(found.by().name());
        });
      } catch (AdrasteaException e) {
        kinds.add("refused");
      }
    }
    assertEquals(Set.of("slurm", "pmix", "refused"), kinds);
  }

  @Test
  void aParentIsFoundByItsName() {
    assertTrue(Variables.parentNamed(Set.of("no such launcher")).isEmpty());
    ProcessHandle parent = ProcessHandle.current().parent().orElseThrow();
    String name = io.adrastea.segment.ProcessIdentity.lookUp(parent.pid()).orElseThrow().name();
    assertEquals(parent.pid(), Variables.parentNamed(Set.of(name)).orElseThrow().pid());
  }
}
