package io.adrastea.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Threads;
import io.adrastea.error.JoinException;
import io.adrastea.ranktable.Abilities;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(240)
class ThreadMeetingTest {
  private static final int RANKS = 3;

  private static Card own(int rank) {
    return new Card(new Abilities(rank, false), "net=" + rank);
  }

  @Test
  void allHearTheCardsOfAll() throws Exception {
    ThreadMeeting meeting = new ThreadMeeting(RANKS);
    Threads.run(RANKS, rank -> {
      List<Card> all = meeting.meet(rank, own(rank), () -> false);
      for (int other = 0; other < RANKS; other++) {
        assertEquals(own(other), all.get(other));
      }
    });
  }

  @Test
  void oneThatIsLateNamesThoseThatAreMissing() {
    ThreadMeeting meeting = new ThreadMeeting(RANKS);
    String said = assertThrows(JoinException.class, () -> meeting.meet(1, own(1), () -> true)).getMessage();
    assertTrue(said.contains("rank(s) [0, 2] of 3"), said);
  }

  @Test
  void oneThatIsInterruptedStaysSo() {
    ThreadMeeting meeting = new ThreadMeeting(RANKS);
    Thread.currentThread().interrupt();
    Throwable thrown = assertThrows(JoinException.class, () -> meeting.meet(0, own(0), () -> false));
    assertTrue(Thread.interrupted());
    assertSame(InterruptedException.class, thrown.getCause().getClass());
  }
}
