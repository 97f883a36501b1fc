package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class AllowedCpusTest {
  @Test
  void shouldWriteCpusAsTheKernelDoes() {
    assertEquals("0-3,8", new AllowedCpus(List.of(0, 1, 2, 3, 8)).toString());
    assertEquals("5", new AllowedCpus(List.of(5)).toString());
  }
}
