package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.link.pipe.PipeDirectory;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs of {@code run --hosts} with a script in ssh's place: as ssh does, it has a shell execute the words that it is
 * given. Hosts are told apart by their directories of segments.
 */
class HostsIT {
  @RegisterExtension
  final ShmDirectory first = new ShmDirectory();

  @RegisterExtension
  final ShmDirectory second = new ShmDirectory();

  /** The blank has to pass through the shell on the other side. */
  @TempDir
  Path directory;

  private Path agent;

  @BeforeEach
  void writeAgent() throws Exception {
    agent = directory.resolve("agent");
    Files.writeString(agent, """
        #!/bin/sh
        host=$1
        shift
        case $host in
          first) ADRASTEA_SHM_DIR=%s ;;
          second) ADRASTEA_SHM_DIR=%s ;;
          *) echo "no route to $host" >&2; exit 255 ;;
        esac
        export ADRASTEA_SHM_DIR
        exec sh -c "$*"
        """.formatted(first.path(), second.path()));
    Files.setPosixFilePermissions(agent, PosixFilePermissions.fromString("rwx------"));
  }

  private Launch run(String hosts, String... words) throws Exception {
    Path blank = Files.createDirectories(directory.resolve("a directory"));
    List<String> all = new ArrayList<>(List.of("run", "--hosts", hosts, "--agent", agent.toString()));
    all.addAll(Arrays.asList(words));
    return Launch.java("-jar", Launch.jar().toString()).add(all.toArray(String[]::new)).in(blank)
        .variable("JDK_JAVA_OPTIONS", String.join(" ", ClassArchive.flags(Launch.jar()))); // which goes along
  }

  private Launch shell(String script) throws Exception {
    return run("first:2,second:2", "--", "sh", "-c", script);
  }

  @Test
  void outputOfAllRanksComesInWholeLinesAndInputGoesToTheFirst() throws Exception {
    try (Child job = shell("echo \"$ADRASTEA_RANK of $ADRASTEA_SIZE in $PWD\"; echo \"it's $ADRASTEA_RANK\" >&2; cat")
        .start()) {
      Outcome outcome = job.input("some input\nwithout an end").await().exits(0);
      List<String> expected = new ArrayList<>(List.of("[0] some input", "[0] without an end"));
      for (int rank = 0; rank < 4; rank++) {
        expected.add("[%d] %d of 4 in %s".formatted(rank, rank, directory.resolve("a directory")));
        outcome.says("[%d] it's %d\n".formatted(rank, rank));
      }
      assertEquals(expected.stream().sorted().toList(), outcome.lines().stream().sorted().toList());
    }
  }

  @Test
  void aRankThatFailsEndsThoseOfOtherHostsAndIsNamedWithItsOwn() throws Exception {
    try (Child job = shell("if [ $ADRASTEA_RANK = 3 ]; then sleep 0.3; kill -KILL $$; fi; exec sleep 1000").start()) {
      job.await().exits(137).says("rank 3 on host second was killed by signal 9 (SIGKILL); ending the other ranks");
      assertEquals(List.of(), job.living());
    }
  }

  @Test
  void aHostThatCannotBeReachedIsNamedAndNoRankIsStarted() throws Exception {
    try (Child job = run("first:2,third:2", "--", "sh", "-c", "echo started; exec sleep 1000").start()) {
      Outcome outcome = job.await().exits(255).says("no route to third", "host third: it has not been reached");
      assertFalse(outcome.out().contains("started"), outcome::toString);
      assertEquals(List.of(), job.living());
    }
  }

  @Test
  void theEndOfTheLauncherAndOfAnAgentLeaveNothing() throws Exception {
    for (String signal : List.of("INT", "KILL", "agent")) {
      try (Child job = shell("echo ready $PPID; exec sleep 1000").startReady(4)) {
        if (signal.equals("agent")) { // which this script has become
          Processes.signal("KILL", job.awaitNumber("^\\[2] ready (\\d+)$"));
          job.await().exits(137).says("rank 2 on host second was lost with its host", "was killed by signal 9");
        } else {
          job.signal(signal);
          job.await().exits(signal.equals("INT") ? 130 : 137);
        }
        job.awaitNobody();
      }
    }
  }

  @Test
  void ranksOfJavaMeetAndReachThoseOfOtherHosts() throws Exception {
    try (PipeDirectory pipes = PipeDirectory.create()) {
      List<String> words = new ArrayList<>(List.of("-D", "links=shm,pipes", "--keep-going", "--exit", "rank0", "--",
          "java", "-cp", Launch.jar() + File.pathSeparator + Launch.classes()));
      for (Map.Entry<String, String> setting : pipes.settings("nodes").entrySet()) {
        words.add("-D" + setting.getKey() + "=" + setting.getValue());
      }
      words.addAll(List.of("io.adrastea.PipesRank", "survive"));
      try (Child job = run("first:2,second:2", words.toArray(String[]::new)).start()) {
        job.awaitOutput("^\\[3] ready$");
        List<Long> last = job.living().stream().filter(HostsIT::isLast).toList();
        assertTrue(last.size() == 1, last::toString);
        Processes.signal("KILL", last.getFirst());
        job.await().exits(0).says("rank 3 on host second was killed by signal 9 (SIGKILL); the other ranks go on")
            .prints("[0] told of 3", "[0] rank 0 done", "[1] rank 1 done", "[2] told of 3", "[2] rank 2 done");
      }
    }
  }

  private static boolean isLast(long pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/environ")).contains("\0ADRASTEA_RANK=3\0");
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void optionsThatDoNotGoTogetherAreRefused() throws Exception {
    Outcome.here("run", "--agent", "ssh", "true").exits(2).says("--agent is for ranks on other hosts");
    Outcome.here("run", "--rendezvous", "a", "true").exits(2).says("--rendezvous is for ranks on other hosts");
    Outcome.here("run", "--hosts", "a", "--hostfile", "b", "true").exits(2).says("say the same");
    Outcome.here("run", "--hosts", "a:2", "-n", "3", "true").exits(2).says("the hosts take 2 together (a:2)");
    Outcome.here("run", "--hosts", "a:2", "--rendezvous", "a:b:c", "true").exits(2).says("--rendezvous is 'a:b:c'");
    Outcome.here("run", "--hosts", "a:2", "--agent", "/none/such", "true").exits(127)
        .says("the agent of other hosts (--agent): there is no program '/none/such'");
  }
}
