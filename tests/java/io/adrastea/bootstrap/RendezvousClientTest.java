package io.adrastea.bootstrap;

import static io.adrastea.bootstrap.FakePeer.PATIENCE_MILLIS;
import static io.adrastea.bootstrap.FakePeer.hello;
import static io.adrastea.bootstrap.FakePeer.meeting;
import static io.adrastea.bootstrap.FakePeer.refusal;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.FreePort;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import java.util.stream.Stream;

/** A rank before a fake rank 0; the words are those of C ranks ({@code rendezvous_test.c}). */
class RendezvousClientTest {
  private static final int SHORT_MILLIS = 400;

  private final int port = FreePort.find();

  private CompletableFuture<Long> ask(int timeoutMillis) {
    return FakePeer.start(RendezvousClient::ask, meeting(port, 1, 2, timeoutMillis));
  }

  @Test
  void anAnswerMayComeLateSlowlyAndInPieces() throws Exception {
    CompletableFuture<Long> one = ask(PATIENCE_MILLIS);
    Thread.sleep(100); // nobody listens yet
    try (ServerSocket listener = FakePeer.listen(port); FakePeer peer = FakePeer.accept(listener)) {
      assertEquals(hello(1, 2), peer.line());
      for (String piece : "job 00112233aabbccdd\n".split("")) {
        peer.say(piece);
        Thread.sleep(2);
      }
      assertEquals(0x00112233aabbccddL, one.join());
    }
  }

  @Test
  void aRefusalIsToldInItsWords() throws Exception {
    try (ServerSocket listener = FakePeer.listen(port)) {
      CompletableFuture<Long> one = ask(PATIENCE_MILLIS);
      try (FakePeer peer = FakePeer.accept(listener)) {
        assertEquals(hello(1, 2), peer.line());
        peer.say("refused because of\tthis\n");
        assertEquals("because of?this", refusal(one));
      }
    }
  }

  @Test
  void aRankAsksAgainWhenTheConnectionIsClosedOrStrange() throws Exception {
    try (ServerSocket listener = FakePeer.listen(port)) {
      CompletableFuture<Long> one = ask(PATIENCE_MILLIS);
      FakePeer.accept(listener).close();
      for (String strange : List.of("HTTP/1.1 400 Bad Request\r\n\r\n", "job 1\n", "job 00112233aabbccdde\n",
          "refused \n", "\n")) {
        try (FakePeer peer = FakePeer.accept(listener)) {
          assertEquals(hello(1, 2), peer.line());
          peer.say(strange);
        }
      }
      try (FakePeer peer = FakePeer.accept(listener)) {
        assertEquals(hello(1, 2), peer.line());
        peer.say("job 0000000000000001\n");
        assertEquals(1, one.join());
      }
    }
  }

  static Stream<Arguments> reasons() {
    return Stream.of(
        Arguments.of("", "connected, but without an answer yet"),
        Arguments.of("220 mail.example ESMTP\r\n",
            "what answers there is no rank of Adrastea: '220 mail.example ESMTP?'"),
        Arguments.of("job 00112233", "the connection was closed before rank 0 had answered"),
        Arguments.of("x".repeat(699), "what answers there is no rank of Adrastea: '" + "x".repeat(64) + "'"));
  }

  private String late(String reason) {
    return ("rank 1 waited 400 ms for rank 0 at 127.0.0.1:%d: %s; is rank 0 running there, and were all ranks started? "
        + "(ADRASTEA_RENDEZVOUS, ADRASTEA_JOIN_TIMEOUT)").formatted(port, reason);
  }

  @ParameterizedTest
  @MethodSource("reasons")
  void theLastReasonIsToldAtTheDeadline(String answer, String reason) throws Exception {
    List<FakePeer> staying = new ArrayList<>();
    ServerSocket listener = FakePeer.listen(port);
    Thread fake = Thread.ofPlatform().daemon().start(() -> {
      try {
        while (true) {
          FakePeer peer = FakePeer.accept(listener);
          peer.line();
          if (answer.isEmpty()) {
            staying.add(peer); // and says nothing
          } else {
            peer.say(answer).close();
          }
        }
      } catch (IOException e) {
        // the listener is closed
      }
    });
    try {
      assertEquals(late(reason), refusal(ask(SHORT_MILLIS)));
    } finally {
      listener.close();
      fake.join();
      for (FakePeer peer : staying) {
        peer.close();
      }
    }
  }

  @Test
  void thatNobodyListensIsToldAtTheDeadline() {
    assertEquals(late("Connection refused"), refusal(ask(SHORT_MILLIS)));
  }
}
