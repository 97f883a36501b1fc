package io.adrastea.bench.soak;

import io.adrastea.Job;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A rank of a soak. It reads commands, {@code round NUMBER STEPS} and {@code usage}, and answers each with one line;
 * between them it waits in a read. The end of its input ends it.
 */
public final class SoakWorker {
  static final String READY = "ready";
  static final String ROUND = "round";
  static final String USAGE = "usage";

  private final Seat seat;
  private final long seed;
  private final int largest;
  private final Watchdog watchdog;

  private SoakWorker(Seat seat, long seed, int largest, Duration patience) {
    this.seat = seat;
    this.seed = seed;
    this.largest = largest;
    this.watchdog = new Watchdog(seat.rank, seat.tally, patience);
  }

  /**
   * Joins the job and serves commands until there are no more.
   *
   * @param args seed, most bytes of a message, seconds without progress after which the threads are shown
   * @throws IOException when its input breaks
   */
  public static void main(String[] args) throws IOException {
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    int largest = Integer.parseInt(args[1]);
    Duration patience = Duration.ofSeconds(Long.parseLong(args[2]));
    try (Job job = Job.join()) {
      Seat seat = new Seat(job, largest);
      new SoakWorker(seat, Long.parseLong(args[0]), largest, patience).serve(commands);
    }
  }

  private void serve(BufferedReader commands) throws IOException {
    answer(READY);
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      String[] words = line.split(" ");
      switch (words[0]) {
        case ROUND -> answer(round(Integer.parseInt(words[1]), Integer.parseInt(words[2])));
        case USAGE -> answer(Usage.now().line());
        default -> throw new IllegalArgumentException("unknown command '" + line + "'");
      }
    }
  }

  private static void answer(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private String round(int number, int steps) {
    seat.tally.clear();
    watchdog.begin();
    new Round(seat, new Traffic(seed, number, seat.world.size(), largest)).run(steps);
    watchdog.end();
    return seat.tally.line();
  }
}
