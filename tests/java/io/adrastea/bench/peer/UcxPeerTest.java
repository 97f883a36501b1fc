package io.adrastea.bench.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.measure.AllowedCpus;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Variant;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** UCX as a peer: a program on its interface, compiled where its headers are. */
@Timeout(120)
class UcxPeerTest {
  private static final Cpus CPUS = new Cpus(List.of(4, 7), new AllowedCpus(List.of(4, 7)));

  @TempDir
  Path directory;
  private FakeTools tools;
  private Path includes;

  @BeforeEach
  void makePlaces() throws Exception {
    tools = new FakeTools(directory);
    includes = Files.createDirectory(directory.resolve("include"));
  }

  private void header() throws Exception {
    Files.createFile(Files.createDirectories(includes.resolve("ucp/api")).resolve("ucp.h"));
  }

  private UcxPeer peer() {
    return new UcxPeer(tools.path(), List.of(includes));
  }

  @Test
  void shouldNameTheCompilerOrTheHeadersThatAreMissing() throws Exception {
    assertEquals(Optional.of("cc not on PATH; it comes with: apt-get install gcc libc6-dev libucx-dev"),
        peer().missing());
    tools.with("cc", "exit 0");
    assertEquals(Optional.of("ucp/api/ucp.h not found; it comes with: apt-get install libucx-dev"), peer().missing());
    header();
    assertEquals(Optional.empty(), peer().missing());
  }

  @Test
  void shouldStartTheCompiledProgramOnBothCpusAndReadItsTimes() throws Exception {
    header();
    tools.with("cc", "echo \"$@\" >" + directory + "/words\n"
        + "for word; do [ \"$last\" = -o ] && program=$word; last=$word; done\n"
        + "cat >\"$program\" <<'END'\n#!/bin/sh\necho \"$UCX_TLS $@\" >" + directory + "/sides\n"
        + FakeTools.SERVER + "\nEND\nchmod +x \"$program\"");
    try (Variant variant = peer().start(2, CPUS)) {
      Variant.Order order = new Variant.Order(Kind.LATENCY, 8, 3, 1, Duration.ofSeconds(1));
      assertArrayEquals(new long[] {1000, 1000, 1000}, variant.run(order).get(0));
      for (Kind kind : List.of(Kind.LATENCY, Kind.BANDWIDTH, Kind.RATE)) {
        assertTrue(variant.measures(kind, 0) && variant.measures(kind.untouched(), 1 << 20));
      }
      assertFalse(variant.measures(Kind.BARRIER, 0) || variant.measures(Kind.BIBANDWIDTH, 8));
    }
    assertTrue(Files.readString(directory.resolve("words")).strip().endsWith(" -lucp -lucs"));
    assertTrue(Files.readString(directory.resolve("sides")).strip().endsWith(" 4 7"));
  }

  /** The program itself, where UCX is installed. */
  @ParameterizedTest
  @ValueSource(strings = {"latency", "bandwidth", "rate"})
  void shouldTouchWhatItPasses(String command) throws Exception {
    UcxPeer here = new UcxPeer(SearchPath.here());
    Assumptions.assumeTrue(here.missing().isEmpty(), () -> here.missing().get());
    Kind touched = List.of(Kind.LATENCY, Kind.BANDWIDTH, Kind.RATE).stream()
        .filter(kind -> kind.command().equals(command)).findFirst().orElseThrow();
    AllowedCpus allowed = AllowedCpus.here();
    try (Variant variant = here.start(2, Cpus.choose(null, allowed))) {
      for (Kind kind : List.of(touched, touched.untouched())) {
        for (int bytes : new int[] {0, 8, 13, 300, 100_000}) {
          long[] times = variant.run(new Variant.Order(kind, bytes, 2, 70, Duration.ofSeconds(3))).get(0);
          assertEquals(2, times.length);
        }
      }
    }
  }
}
