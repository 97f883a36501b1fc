package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine;

class RankedOptionsTest {
  @Command(name = "probe")
  private static final class Probe implements Callable<Integer> {
    @Mixin
    private BarrierOptions options;

    private double seconds;

    @Override
    public Integer call() {
      options.check();
      seconds = options.warmUp();
      return 0;
    }
  }

  private static double warmUp(String... words) {
    Probe probe = new Probe();
    assertEquals(0, new CommandLine(probe).execute(words));
    return probe.seconds;
  }

  @ParameterizedTest
  @CsvSource({"2,2,2", "2,8,2", "4,2,3", "16,2,12", "1024,2,30", "16,16,2", "3,2,2.25", "2,1,3"})
  void theWarmUpIsLongerTheMoreRanksACpuHas(int ranks, int cpus, double seconds) {
    assertEquals(seconds, RankedOptions.warmUp(2, ranks, cpus));
  }

  @Test
  void itIsNeverShorterThanWithoutSharing() {
    assertEquals(40, RankedOptions.warmUp(40, 1024, 2));
  }

  @Test
  void theCpusChosenCount() {
    AllowedCpus allowed = AllowedCpus.here();
    int ranks = 1024;
    assertEquals(RankedOptions.warmUp(2, ranks, allowed.count()), warmUp("-n", "" + ranks));
    int used = Math.min(2, allowed.count());
    String cpus = allowed.list().get(0) + "," + allowed.list().get(used - 1);
    assertEquals(RankedOptions.warmUp(2, 2 * used, used), warmUp("-n", "" + 2 * used, "--cpus", cpus));
  }

  @Test
  void aGivenWarmUpIsKept() {
    assertEquals(0.25, warmUp("-n", "1024", "--warmup", "0.25"));
    assertEquals(2, warmUp("-n", "1024", "--warmup", "2"));
  }
}
