package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What cannot be measured is refused before the run, and what is only asked of a bench is told. Nothing here measures,
 * so this runs beside other tests, which the benches of the other classes do not.
 */
class BenchOptionsIT {
  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  /** Words behind {@code bench}, and what is said of them. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      latency --sizes 8,many | 'many'
      latency --sizes -8 | '-8'
      latency --sizes 9G | '9G'
      latency --buffers native,magnetic | there are no buffers 'magnetic'; allowed are native, array, shared
      latency --lmt auto,teleport | adrastea.lmt is 'teleport' (from --lmt); allowed are auto,
      latency -n 3 | -n must be an even number
      latency --rounds 0 | --rounds must be
      latency --seconds 0 | --seconds must be
      latency --core fast | there is no core 'fast'; this build has ffm, jni, java, jna,
      latency --cpus 0,99999 | CPU 99999 does not exist or is not allowed
      latency --html /missing/page.html | --html: cannot write '/missing/page.html': there is no such directory
      latency --csv /missing/figures.csv | --csv: cannot write '/missing/figures.csv': there is no such directory
      calls --core ffm-java | 'ffm-java' is a pair of cores; a call is one core's, as in ffm
      calls --core fast | there is no core 'fast'
      calls --rounds 0 | --rounds must be
      calls -n 2 | '-n'
      calls --csv /missing/calls.csv | --csv: cannot write '/missing/calls.csv'
      copy --routines --cache-effect | mutually exclusive
      copy --routines --sizes 0 | 1 to 64M are allowed
      copy --cache-effect --sizes 128M | 1 to 64M are allowed
      copy --routines --cpus 99999 | CPU 99999 does not exist
      copy --cache-effect --csv /missing/copy.csv | --csv: cannot write '/missing/copy.csv'
      in-place --sizes 0,64K | a message of 0 bytes has nothing to transfer
      in-place --sizes 2G | '2G'
      in-place -n 4 | '-n'
      in-place --core fast | there is no core 'fast'
      in-place --rounds 0 | --rounds must be
      overlap --sizes large | 'large'
      overlap --cpus 0,99999 | CPU 99999 does not exist or is not allowed
      overlap --csv /missing/f.csv | --csv: cannot write '/missing/f.csv': there is no such
      waiting --rounds 0 | --rounds must be a number from 1 to 1000, not 0
      waiting --core none | none
      waiting --cpus 4711 | CPU 4711 does not exist or is not allowed here
      paper mpich2-barrier --ranks 2,3 | --ranks must be even numbers from 2 to 1024, not 3
      paper mpich2-barrier --ranks 0 | --ranks must be even numbers from 2 to 1024, not 0
      paper mpich2-barrier --ranks many | 'many'
      paper mpich2-barrier -n 4 | -n has no meaning here: --ranks 4 runs 4 ranks
      paper mvapich-barrier --ranks 5 | --ranks must be even numbers from 2 to 1024, not 5
      compare --hosts 3 | --hosts must be 2, the number of hosts that can be made here, not 3
      compare --hosts 2 -n 4 | -n has no meaning with --hosts
      compare --hosts 2 --lmt cma | --buffers, --lmt and --untouched have no meaning with --hosts
      compare --hosts 2 --per-host 0 | --per-host must be numbers from 1 to 16, not 0
      compare --hosts 2 --calls scan | there is no call 'scan' for --hosts; calls are barrier, bcast
      compare --hosts 2 --peers ucx | there is no peer 'ucx'; peers are openmpi, openmpi-ucx
      compare --hosts 2 --sizes 12 | --sizes must be multiples of 8 from 8 to 16M, not 12
      paper nemesis-network -n 4 | -n must be 2 here, a rank on each host, not 4
      paper halo --sizes 0,8 | a tile of 0 words; allowed are 1 to 1M
      paper halo --sizes 2M | a tile of 2097152 words; allowed
      paper halo -n 3 | -n must be an even number
      paper netpipe --sizes 8,many | 'many'
      paper mpich2-latency-bandwidth -n 4 | -n must be 2 here: the peers run as one pair
      paper mpich2-latency-bandwidth --sizes 2G | '2G'
      paper netpipe --core fast | there is no core 'fast'
      paper netpipe --csv /missing/f.csv | --csv: cannot write '/missing/f.csv': there is no such
      paper halo --html /missing/f.html | --html: cannot write '/missing/f.html': there is no such
      paper mvapich --sizes 32 | --sizes must be 64 to 1M, not 32
      paper mvapich --sizes 2M | --sizes must be 64 to 1M, not 2097152
      paper mvapich --sizes 8X | '8X' in '8X' is not a size
      paper mvapich --cell 8K,16K | --cell must be one size
      paper mvapich --cell 64K | --cell must be one size from 64 to 32K, not 65536
      paper mvapich --pair-buffer 3M | --pair-buffer must be a power of two from 4K to 64M, not 3145728
      paper mvapich --ranks 1 | --ranks must be numbers from 2 to 1024, not 1
      paper mvapich --ranks 2000 | --ranks must be numbers from 2 to 1024, not 2000
      paper mvapich -n 4 | -n has no meaning here
      paper mvapich --cpus 0,9999 | CPU 9999 does not exist or is not allowed here
      paper mvapich-polling --ranks 3 | --ranks must be powers of two from 2 to 256, not 3
      paper mvapich-polling --ranks 1 | --ranks must be powers of two from 2 to 256, not 1
      paper mvapich-polling --ranks 512 | --ranks must be powers of two from 2 to 256, not 512
      paper mvapich-polling -n 4 | -n has no meaning here: --ranks 4 runs 4 ranks
      """)
  void whatCannotBeMeasuredIsRefused(String words, String said) throws Exception {
    List<String> command = new ArrayList<>(List.of("bench"));
    command.addAll(List.of(words.split(" +")));
    Outcome outcome = Outcome.here(command.toArray(String[]::new)).exits(2).says(said);
    assertEquals("", outcome.out());
  }

  @Test
  void withoutValgrindThePackageIsNamedAndNothingIsCounted() throws Exception {
    Launch.adrastea(shm, "bench", "paper", "mpich2-instructions")
        .variable("PATH", directory)
        .run()
        .exits(1)
        .says("the package valgrind");
  }

  @Test
  void whatHostsAreMadeByIsNamedWhereItIsMissing() throws Exception {
    Launch.adrastea(shm, "bench", "compare", "--hosts", "2")
        .variable("PATH", directory)
        .run()
        .exits(1)
        .says("ip, unshare, nsenter, mount", "apt-get install iproute2 util-linux mount");
  }

  @Test
  void aloneItListsTheExperiments() throws Exception {
    Outcome.here("bench", "paper").exits(0).prints("halo ", "netpipe ", "nemesis-network ", "mpich2-barrier ",
        "mpich2-latency-bandwidth ", "MPICH2 2007");
  }

  @Test
  void theGuardListsItsPromisesAsTheDocumentHasThem() throws Exception {
    Outcome.here("bench", "guard", "--list")
        .exits(0)
        .prints("| bench | variant | bytes | ratio | to | made for |", "| latency | ffm | 8 | at most");
  }

  @Test
  void theGuardRefusesNoRounds() throws Exception {
    Outcome.here("bench", "guard", "--rounds", "0").exits(2).says("--rounds must be");
  }

  @Test
  void theGuardRefusesPromisesThatThereAreNot() throws Exception {
    Outcome.here("bench", "guard", "--core", "moon")
        .exits(2)
        .says("there is no such promise; allowed are --against floor, settings, --core ffm, java, --bench latency, "
            + "bandwidth, rate, barrier, bcast, allreduce, allgather, alltoall and --sizes from 0 to 1048576 bytes");
    Outcome.here("bench", "guard", "--against", "settings", "--sizes", "8").exits(2).says("there is no such promise");
  }

  @Test
  void theGuardRefusesSettingsThatItForcesNothingBy() throws Exception {
    Outcome.here("bench", "guard", "--settings", "spins")
        .exits(2)
        .says("nothing is forced by --settings spins; allowed are box.message.bytes=256, ");
    Outcome.here("bench", "guard", "--warmup", "-1").exits(2).says("--warmup must be from 0 to 60 s, not -1.0");
  }

  @Test
  void helpTellsTheSizesOfEachPart() throws Exception {
    Outcome.here("bench", "copy", "--help").exits(0).prints("--cache-effect", "--routines",
        "of --cache-effect");
  }
}
