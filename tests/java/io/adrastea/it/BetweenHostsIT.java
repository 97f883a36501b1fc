package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code bench compare --hosts 2} and {@code bench paper nemesis-network} between hosts that they make. */
@Tag("spins")
class BetweenHostsIT {
  private static final String[] QUICK = {"--rounds", "1", "--seconds", "0.002", "--warmup", "0.01", "--core", "java",
    "--peers", "none", "--csv", "-"};

  private static final int MOST_LOOKS = 500;
  private static final int LOOK_MILLIS = 20;

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  @BeforeAll
  static void assumeHostsCanBeMade() throws Exception {
    String make = "ip link add made type veth peer name other && mount -t tmpfs made /dev/shm && ip link set made up";
    boolean works;
    try {
      works = Launch.command("unshare", "-n", "-m", "-u", "-i", "sh", "-c", make).run().code() == 0;
    } catch (IOException e) {
      works = false; // there is no unshare
    }
    assumeTrue(works, "no network namespaces can be made here: this takes root, the right to mount, ip and unshare");
  }

  @Test
  void messagesAndCollectivesAreMeasuredAndNothingIsLeft() throws Exception {
    List<String> before = left();
    Outcome outcome = Launch.adrastea(shm, "bench", "compare", "--hosts", "2", "--sizes", "8", "--per-host", "1",
        "--calls", "barrier").add(QUICK).quickThroughout().run().exits(0);
    for (String start : List.of("latency/2,java,8,p50,", "bandwidth/2,nio-loop,8,p50,", "rate/2,c-loop,8,p50,",
        "barrier/2,java,0,p50,", "barrier/2,c-loop,0,p50,")) {
      assertTrue(outcome.lines().stream().anyMatch(line -> line.startsWith(start)), () -> start + outcome);
    }
    assertIsLeft(before);
  }

  @Test
  void anInterruptLeavesNothing() throws Exception {
    List<String> before = left();
    try (Child bench = Launch.adrastea(shm, "bench", "paper", "nemesis-network", "--rounds", "99999", "--core", "java",
        "--peers", "none", "--sizes", "8").start()) {
      bench.awaitOutput("in four buffers");
      bench.signal("INT");
      bench.await();
    }
    assertIsLeft(before);
  }

  /** Processes of hosts end with that which has started them, or soon after. */
  private static void assertIsLeft(List<String> before) throws Exception {
    for (int looks = 0; looks < MOST_LOOKS && !before.equals(left()); looks++) {
      Thread.sleep(LOOK_MILLIS);
    }
    assertEquals(before, left());
  }

  /** Files of both hosts, and the processes in whose words one is named. */
  private static List<String> left() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return Stream.concat(
          files.map(file -> file.getFileName().toString()).filter(name -> name.startsWith("bench-adrastea-hosts-")),
          ProcessHandle.allProcesses().filter(ProcessHandle::isAlive)
              .filter(process -> Stream.of(process.info().arguments().orElse(new String[0]))
                  .anyMatch(word -> word.startsWith("bench-host-") || word.contains("10.93.0.1")))
              .map(ProcessHandle::toString))
          .sorted().toList();
    }
  }
}
