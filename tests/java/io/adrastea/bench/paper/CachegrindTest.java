package io.adrastea.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.CpuPair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counting with a stand-in for valgrind, a script that says what valgrind says. */
class CachegrindTest {
  private static final PoolSettings SETTINGS = new PoolSettings(8192, 1 << 20);
  private static final CpuPair CPUS = new CpuPair(CpuPair.Distance.NEAR, 0, 1);

  @TempDir
  Path directory;

  private List<Misses> count(String script, PoolWay way) throws IOException, BenchException {
    Path file = Files.writeString(directory.resolve("valgrind"), "#!/bin/sh\nread -r way bytes batches n\n" + script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    return Cachegrind.find(directory.toString())
        .orElseThrow()
        .count(List.of(way), List.of(65536), SETTINGS, CPUS);
  }

  @Test
  void missesOfBothEndsAreThoseOfMoreMessagesLessThoseOfFew() throws Exception {
    List<Misses> misses =
        count(
            """
                case "$*" in *--LL=1048576,16,64*" 0 1 8192 1048576") ;; *) exit 1 ;; esac
                [ "$way" = pool1-latency-unchecked ] && per=10 || per=30
                for i in 1 2; do
                  echo "==$i== D1  misses:   1,000,$((100 + n))" >&2
                  echo "==$i== LLd misses:   $((5000 + n * per))  ( 1 rd + 2 wr)" >&2
                done
                """,
            PoolWay.POOL1);
    assertEquals(new Misses(PoolWay.POOL1, PoolWay.Move.LATENCY, 65536, 1.0, 10.0), misses.get(0));
    assertEquals(new Misses(PoolWay.POOL1, PoolWay.Move.STREAM, 65536, 1.0, 30.0), misses.get(1));
    assertEquals(2, misses.size());
  }

  @Test
  void aRunThatCountedForOneProcessOnlyIsRefused() {
    BenchException thrown =
        assertThrows(
            BenchException.class,
            () -> count("echo 'D1  misses: 1'; echo 'LLd misses: 1'", PoolWay.CELLS));
    assertTrue(thrown.getMessage().contains("1 processes, not 2"), thrown.getMessage());
  }

  @Test
  void aRunThatFailsIsToldWithItsWords() {
    BenchException thrown =
        assertThrows(BenchException.class, () -> count("echo no such tool; exit 1", PoolWay.CELLS));
    assertTrue(thrown.getMessage().contains("no such tool"), thrown.getMessage());
  }

  @Test
  void withoutItOnThePathThereIsNone() {
    assertTrue(Cachegrind.find(directory.toString()).isEmpty());
    assertTrue(Cachegrind.MISSING.contains("the package valgrind"));
  }
}
