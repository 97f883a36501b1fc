package io.adrastea.cli.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class HostTest {
  @Test
  void shouldWriteCpusAsTheKernelDoes() {
    assertEquals("0-3,8", new AllowedCpus(List.of(0, 1, 2, 3, 8)).toString());
    assertEquals("5", new AllowedCpus(List.of(5)).toString());
  }

  @Test
  void shouldNameSignalsAndExitCodes() {
    assertEquals("was killed by signal 15 (SIGTERM)", new ExitStatus(143).toString());
    assertEquals("exited with code 3", new ExitStatus(3).toString());
    assertEquals("exited with code 255", new ExitStatus(255).toString());
  }
}
