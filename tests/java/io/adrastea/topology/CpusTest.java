package io.adrastea.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpusTest {
  @TempDir
  Path root;

  @ParameterizedTest
  @ValueSource(strings = {"0", "0-3,8", "1,3,5-6", "1023-1024", "0-127"})
  void listsAreReadAndWrittenAsTheKernelDoes(String list) {
    assertEquals(list, Cpus.parse(list).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "1,", ",1", "1-", "-1", "1--2", "1 2", "123456", "0x3", "5-3"})
  void whatIsNoListIsRefused(String text) {
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> Cpus.parse(text)).getMessage().contains("'" + text + "'"));
  }

  @Test
  void numbersBelowZeroAreRefused() {
    String said = assertThrows(IllegalArgumentException.class, () -> Cpus.of(3, -1)).getMessage();
    assertTrue(said.contains("no CPU -1"), said);
  }

  @Test
  void anOrderOfCpusIsKept() {
    assertEquals(List.of(8, 0, 1, 2, 0), Cpus.inOrder("8,0-2,0"));
  }

  @Test
  void setsAreJoinedAndCut() {
    Cpus low = Cpus.parse("0-3");
    assertEquals(Cpus.parse("0-3,6"), low.or(Cpus.of(6)));
    assertEquals(Cpus.of(3), low.and(Cpus.parse("3-9")));
    assertEquals(4, low.count());
    assertEquals(-1, low.only());
    assertEquals(6, Cpus.of(6).only());
    assertEquals(-1, Cpus.of().first());
    assertTrue(low.contains(3));
    assertFalse(low.contains(4) || low.contains(-1));
  }

  @Test
  void wordsHaveABitForEach() {
    assertEquals(1L << 63, Cpus.of(63, 64).words()[0]);
    assertEquals(1, Cpus.of(63, 64).words()[1]);
    assertEquals(Cpus.of(63, 64), Cpus.ofWords(new long[] {1L << 63, 1, 0}));
  }

  /** In a virtual machine the mask of a thread has CPUs that could be plugged in. */
  @Test
  void cpusThatAreNotOnlineDoNotCount() throws IOException {
    Path status = Files.writeString(root.resolve("status"), "Name:\tjava\nCpus_allowed_list:\t0-127\nThreads:\t1\n");
    assertEquals(Cpus.parse("0-127"), Cpus.read(status, root));
    FakeMachine.blank(root).file("devices/system/cpu/online", "0-3,6");
    assertEquals(Cpus.parse("0-3,6"), Cpus.read(status, root));
  }

  @Test
  void whereTheKernelDoesNotTellTheJvmCounts() throws IOException {
    Path status = Files.writeString(root.resolve("status"), "Cpus_allowed_list:\tall\n");
    int count = Runtime.getRuntime().availableProcessors();
    assertEquals(count, Cpus.read(status, root).count());
    assertEquals(count, Cpus.read(root.resolve("missing"), root).count());
  }
}
