package io.adrastea.bench.calls;

import io.adrastea.bootstrap.Bootstraps;
import io.adrastea.bootstrap.JoinedRank;
import io.adrastea.bootstrap.Joining;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * A job of one rank that times calls of its core. Says {@code ready}, then answers each command,
 * {@code CALL BYTES BATCHES
 * CALLS}, with {@code ns} and the time of each batch; the end of its input ends it.
 */
public final class CallWorker {
  static final String READY = "ready";

  private CallWorker() {}

  /**
   * Serves commands until there are no more.
   *
   * @param args none
   * @throws IOException when its input breaks
   */
  public static void main(String[] args) throws IOException {
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    JoinedRank joined = Joining.join(Bootstraps.find());
    Calls calls = new Calls(joined.core());
    say(READY);
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      say(answer(calls, line));
    }
    joined.leave();
    joined.segment().close();
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private static String answer(Calls calls, String line) {
    String[] words = line.split(" ");
    Call call = Call.of(words[0]);
    int batches = Integer.parseInt(words[2]);
    int count = Integer.parseInt(words[3]);
    StringBuilder answer = new StringBuilder("ns");
    for (int batch = 0; batch < batches; batch++) {
      answer.append(' ').append(calls.time(call, count));
    }
    return answer.toString();
  }
}
