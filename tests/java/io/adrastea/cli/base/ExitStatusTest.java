package io.adrastea.cli.base;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ExitStatusTest {
  @Test
  void shouldNameSignalsAndExitCodes() {
    assertEquals("was killed by signal 15 (SIGTERM)", new ExitStatus(143).toString());
    assertEquals("exited with code 3", new ExitStatus(3).toString());
    assertEquals("exited with code 255", new ExitStatus(255).toString());
  }
}
