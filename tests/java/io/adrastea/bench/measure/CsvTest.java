package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvTest {
  @TempDir
  Path directory;

  @Test
  void latencyHasPercentilesAndMeanInNanoseconds() {
    Results results =
        Given.results(
            Kind.LATENCY,
            Given.series(Kind.LATENCY, "floor", 8, 40),
            Given.series(Kind.LATENCY, "ffm-java", 8, 80));
    assertEquals(
        List.of(
            "bench,variant,bytes,metric,value,unit",
            "latency,floor,8,p50,40.00,ns",
            "latency,floor,8,p99,40.00,ns",
            "latency,floor,8,p999,40.00,ns",
            "latency,floor,8,max,40.00,ns",
            "latency,floor,8,mean,40.00,ns",
            "latency,ffm-java,8,p50,80.00,ns",
            "latency,ffm-java,8,p99,80.00,ns",
            "latency,ffm-java,8,p999,80.00,ns",
            "latency,ffm-java,8,max,80.00,ns",
            "latency,ffm-java,8,mean,80.00,ns"),
        Csv.lines(results));
  }

  @Test
  void bandwidthHasRatesAndTimes() {
    Results results =
        Given.results(Kind.BANDWIDTH, Given.series(Kind.BANDWIDTH, "java", 1000, 100));
    assertEquals(
        List.of(
            "bench,variant,bytes,metric,value,unit",
            "bandwidth,java,1000,MBps,10000.00,MB/s",
            "bandwidth,java,1000,msgps,10000000.00,messages/s",
            "bandwidth,java,1000,p50,100.00,ns",
            "bandwidth,java,1000,p99,100.00,ns",
            "bandwidth,java,1000,p999,100.00,ns",
            "bandwidth,java,1000,max,100.00,ns",
            "bandwidth,java,1000,mean,100.00,ns"),
        Csv.lines(results));
  }

  @Test
  void figuresOfWhichCompilersTookAPartSayHowMuch() {
    Series ffm = Given.series(Kind.LATENCY, "ffm", 8, 80);
    ffm.addCompilers(750, 1000);
    assertEquals("latency,ffm,8,compiling,0.75,part", Csv.lines(Given.results(Kind.LATENCY, ffm)).getLast());
    assertEquals(List.of("bcast/4,ffm,64,p50,80.00,ns", "bcast/4,ffm,64,p99,80.00,ns", "bcast/4,ffm,64,mean,80.00,ns",
        "bcast/4,ffm,64,compiling,0.75,part", "bcast/4,ffm,64,round-1,80.00,ns"), Csv.lines("bcast/4", 64, ffm));
  }

  @Test
  void numbersHaveAPointInEveryLocale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      Results results = Given.results(Kind.LATENCY, Given.series(Kind.LATENCY, "floor", 8, 40));
      assertEquals("latency,floor,8,p50,40.00,ns", Csv.lines(results).get(1));
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void aFileReplacesItsOldContentsOnlyWithNewOnes() throws IOException {
    Path path =
        Files.writeString(directory.resolve("old.csv"), "old contents, longer than the new");
    new OutputFile(path).close();
    assertEquals("old contents, longer than the new", Files.readString(path));
    try (OutputFile file = new OutputFile(path)) {
      file.write(List.of("a", "b"));
    }
    assertEquals("a\nb\n", Files.readString(path));
  }

  @Test
  void aFileMadeForARunThatFailedGoesAway() throws IOException {
    Path path = directory.resolve("new.csv");
    new OutputFile(path).close();
    assertFalse(Files.exists(path));
  }

  @Test
  void aFileThatCannotBeWrittenIsRefusedAtOnce() {
    Path path = directory.resolve("missing").resolve("new.csv");
    IOException refusal = assertThrows(IOException.class, () -> new OutputFile(path));
    assertEquals("there is no such directory", OutputFile.reason(refusal));
  }
}
