package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code bench datatypes}: which figures there are and where they go. */
@Tag("spins")
class DatatypesBenchIT {
  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  private Outcome datatypes(String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of("bench", "datatypes", "--quick"));
    all.addAll(List.of(words));
    return Launch.adrastea(shm, all.toArray(String[]::new)).quickThroughout().run();
  }

  @Test
  void everyWayOfEachCaseHasFigures() throws Exception {
    Path page = directory.resolve("page.html");
    Outcome outcome = datatypes("--core", "ffm", "--peers", "none", "--shapes", "noncontig,LAMMPS_full,NAS_MG_x",
        "--csv", "-", "--html", page.toString()).exits(0);
    outcome.says("touched  before a send", "Packing alone", "a quick run: it tells whether all of it works");
    List<String> lines = outcome.lines();
    for (String start : List.of("noncontig/8,ffm contiguous,262144,", "noncontig/8,ffm by type,262144,",
        "noncontig/128,ffm by hand,262144,", "noncontig/4096,ffm packed,262144,",
        "noncontig/4096,ffm piecewise,262144,",
        "noncontig/8,ffm pack,262144,", "noncontig/8,loop in C,262144,", "LAMMPS_full/3062,ffm by type,195968,",
        "LAMMPS_full/3062,ffm by hand,195968,", "LAMMPS_full/3062,loop in C,195968,",
        "NAS_MG_x/34x18x18,ffm packed,2048,")) {
      for (String metric : List.of("p50", "round-1", "round-2")) {
        assertEquals(1, lines.stream().filter(line -> line.startsWith(start + metric + ",")).count(), start + metric);
      }
    }
    assertTrue(lines.stream().noneMatch(line -> line.startsWith("LAMMPS_full/3062,ffm contiguous")));
    String html = Files.readString(page);
    assertTrue(html.contains("LAMMPS: time, ffm by type = 1") && html.contains("Bandwidth of 256 KiB in blocks"), html);
  }

  @Test
  void theCpuTimeOfBothRanksStandsBesideTheTimeOfEachWay() throws Exception {
    Outcome outcome = datatypes("--core", "ffm", "--peers", "none", "--shapes", "noncontig", "--measure", "messages",
        "--buffers", "shared", "--lmt", "ring,shared", "--cpu", "--csv", "-").exits(0);
    outcome.says("without polls that found nothing");
    for (String way : List.of("ring", "shared")) {
      for (String who : List.of("ffm-shared/", "CPU of ffm-shared/")) {
        String start = "noncontig/4096,%s%s by type,262144,p50,".formatted(who, way);
        String line = outcome.lines().stream().filter(each -> each.startsWith(start)).findFirst().orElseThrow();
        assertTrue(Double.parseDouble(line.substring(start.length()).replace(",ns", "")) > 1000, line);
      }
    }
  }

  @Test
  void aPeerThatIsMissingIsNamedWithWhatInstallsIt() throws Exception {
    Launch launch = Launch.adrastea(shm, "bench", "datatypes", "--quick", "--core", "ffm", "--shapes", "SPECFEM3D_oc",
        "--measure", "messages");
    launch.variable("PATH", directory.toString());
    launch.run().exits(0).prints("openmpi is left out: mpicc.openmpi", "apt-get install mpich libmpich-dev",
        "SPECFEM3D_oc/3225");
  }

  @Test
  void whatCannotBeMeasuredIsRefusedBeforeTheRun() {
    refused("--shapes", "cube").says("there is no shape 'cube'", "SPECFEM3D_oc");
    refused("--peers", "lam").says("there is no peer 'lam'; peers are openmpi, mpich, or none");
    refused("--measure", "thoughts").says("'thoughts'", "messages, packing");
    refused("--buffers", "array").says("which no one array holds");
    refused("--lmt", "rope").says("rope", "auto, shared, xpmem, cma and ring");
    refused("--sizes", "12").says("powers of two from 8 to 256K");
  }

  private static Outcome refused(String... words) {
    List<String> all = new ArrayList<>(List.of("bench", "datatypes"));
    all.addAll(List.of(words));
    return Outcome.here(all.toArray(String[]::new)).exits(2);
  }
}
