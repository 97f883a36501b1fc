package io.adrastea.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bootstrap.RendezvousLine.Answer;
import io.adrastea.bootstrap.RendezvousLine.Hello;
import io.adrastea.peers.Nodes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The lines and the address of ranks that meet; the same as of C ranks ({@code rendezvous_test.c}). */
class RendezvousLineTest {
  private static final int FUZZ_INPUTS = 50_000;
  private static final int SEED = 7;
  private static final String SPOILT = "0123456789 =\n\1\u00ffanj";

  @ParameterizedTest
  @CsvSource({"localhost:1, localhost, 1", "job-0.service:29950, job-0.service, 29950", "[::1]:65535, ::1, 65535",
    "[fe80::1%eth0]:29950, fe80::1%eth0, 29950"})
  void addressesHaveAHostAndAPort(String text, String host, int port) {
    assertEquals(new RendezvousAddress(host, port, text), RendezvousAddress.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"host", "host:", ":1", "host:0", "host:65536", "host:123456", "host:-1", "host: 1",
        "::1:29950", "[::1]29950", "[::1]", "[]:1", "[::1:1", "a b:29950", "host:1x", "hé:1"})
  void otherTextsAreRefused(String text) {
    String said = assertThrows(IllegalArgumentException.class, () -> RendezvousAddress.parse(text)).getMessage();
    assertTrue(said.startsWith("adrastea.rendezvous is '" + text + "' (from "), said);
    assertTrue(said.endsWith("; allowed is <host>:<port>, with IPv6 as [<address>]:<port>"), said);
  }

  @Test
  void aHostHasAtMost255Characters() {
    assertEquals(128, RendezvousAddress.parse("h".repeat(255) + ":1").words().length());
    assertThrows(IllegalArgumentException.class, () -> RendezvousAddress.parse("h".repeat(256) + ":1"));
  }

  @Test
  void linesAreThoseOfC() {
    assertEquals("adrastea 1 rank=3 size=4 node=6a1c:26:2\n",
        RendezvousLine.writeHello(new Hello(1, 3, 4, "6a1c:26:2", "", "")));
    assertEquals("adrastea 1 rank=3 size=4 node=6a1c:26:2 links=tcp,other\n",
        RendezvousLine.writeHello(new Hello(1, 3, 4, "6a1c:26:2", "tcp,other", "")));
    assertEquals("adrastea 1 rank=3 size=4 node=6a1c:26:2 links=tcp job=00112233aabbccdd\n",
        RendezvousLine.writeHello(new Hello(1, 3, 4, "6a1c:26:2", "tcp", "00112233aabbccdd")));
    assertEquals("job 000000000000001f\n", RendezvousLine.writeJob(31));
    assertEquals("job ffffffffffffffff\n", RendezvousLine.writeJob(-1));
    assertEquals("refused so\n", RendezvousLine.writeRefusal("so"));
    assertEquals(511, RendezvousLine.writeRefusal("w".repeat(999)).length());
  }

  @Test
  void nodesAreToldInRuns() {
    assertEquals("job 000000000000001f\n", RendezvousLine.writeJob(31, Nodes.one(3)));
    assertEquals("job 000000000000001f nodes=0*2,1*3,0*1\n", RendezvousLine.writeJob(31, Nodes.of(0, 0, 1, 1, 1, 0)));
    assertEquals(new Answer.Job(31, List.of(0, 0, 1, 1, 1, 0)),
        RendezvousLine.readAnswer("job 000000000000001f nodes=0*2,1*3,0*1"));
    assertEquals(new Answer.Strange(), RendezvousLine.readAnswer("job 000000000000001f nodes=0*2,"));
    assertTrue(RendezvousLine.readAnswer("job 000000000000001f nodes=0*999999999,1*999999999") instanceof Answer.Job,
        "more than there can be ranks, which takes no more memory than they do");
  }

  @ParameterizedTest
  @CsvSource({"'', true", "a, true", "'adrastea ', true", "'adrastea 1', true", "'adrastea\n', false", "b, false",
    "'\u0016', false"})
  void aLineOfARankIsKnownByItsBeginning(String text, boolean may) {
    assertEquals(may, RendezvousLine.mayBeHello(text));
  }

  /** Changes some characters, or takes some away. */
  private static String spoil(Random random, String line) {
    StringBuilder spoilt = new StringBuilder(line);
    for (int changes = random.nextInt(4); changes > 0 && !spoilt.isEmpty(); changes--) {
      int at = random.nextInt(spoilt.length());
      if (random.nextBoolean()) {
        spoilt.setCharAt(at, SPOILT.charAt(random.nextInt(SPOILT.length())));
      } else {
        spoilt.deleteCharAt(at);
      }
    }
    return spoilt.toString();
  }

  private static String line(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> RendezvousLine.writeJob(random.nextLong());
      case 1 -> RendezvousLine.writeRefusal("so it is");
      case 2 -> RendezvousLine.writeHello(new Hello(1, random.nextInt(2000), random.nextInt(2000), "6a1c:26:2",
          random.nextBoolean() ? "" : "tcp", random.nextBoolean() ? "" : "00112233aabbccdd"));
      default -> {
        StringBuilder text = new StringBuilder();
        random.ints(random.nextInt(RendezvousLine.MOST_BYTES), 0, 256).forEach(each -> text.append((char) each));
        yield text.toString();
      }
    };
  }

  @Test
  void anyBytesAreALineOrNone() {
    Random random = new Random(SEED);
    Map<String, Integer> kinds = new HashMap<>();
    for (int input = 0; input < FUZZ_INPUTS; input++) {
      String text = spoil(random, line(random));
      String plain = RendezvousLine.plain(text);
      assertTrue(plain.matches("[ -~]*"), plain);
      assertTrue(plain.length() <= text.length());
      Optional<Hello> hello = RendezvousLine.readHello(plain);
      if (hello.filter(it -> it.version() == RendezvousLine.VERSION).isPresent()) {
        assertTrue(RendezvousLine.mayBeHello(plain));
        String again = RendezvousLine.plain(RendezvousLine.writeHello(hello.get()));
        assertEquals(hello, RendezvousLine.readHello(again));
        kinds.merge("hello", 1, Integer::sum);
      }
      switch (RendezvousLine.readAnswer(plain)) {
        case Answer.Job answer when answer.nodes().isEmpty() ->
          assertEquals(plain + "\n", RendezvousLine.writeJob(answer.job()));
        case Answer.Job answer -> assertTrue(plain.contains(" nodes="), plain);
        case Answer.Refused answer -> assertFalse(answer.words().isEmpty());
        case Answer.Strange answer -> kinds.merge("strange", 1, Integer::sum);
      }
      kinds.merge(RendezvousLine.readAnswer(plain).getClass().getSimpleName(), 1, Integer::sum);
    }
    for (String kind : new String[] {"hello", "Job", "Refused", "Strange"}) {
      assertTrue(kinds.getOrDefault(kind, 0) > FUZZ_INPUTS / 50, kinds::toString);
    }
  }
}
