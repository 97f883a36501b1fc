package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.Status;
import io.adrastea.error.RankFailedException;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Rank 0 answers one request of each client, whoever comes, and acknowledges each failure that ends its receive, until
 * every client was served or has failed; it says whom it goes on without, and whether a last receive fails when all are
 * gone. The others ask, once their standard input has ended. Twin of {@code tests/c/ranks/server_rank.c}.
 */
public final class ServerRank {
  private static final int TAG = 5;

  private ServerRank() {}

  public static void main(String[] args) throws IOException {
    try (Job job = Job.join()) {
      System.out.println("ready");
      if (job.world().rank() == 0) {
        serve(job);
      } else {
        ask(job.world());
      }
    }
  }

  private static void serve(Job job) {
    Communicator world = job.world();
    int failures = 0;
    int served = 0;
    for (int failed = 0; served + failed < world.size() - 1;) {
      try {
        answer(world);
        served++;
      } catch (RankFailedException e) {
        failures++;
        failed = acknowledge(job);
      }
    }
    System.out.printf("served %d, failures %d%n", served, failures);
    try {
      answer(world);
    } catch (RankFailedException e) {
      System.out.println("alone");
    }
  }

  private static void answer(Communicator world) {
    long[] number = new long[1];
    Status request = world.recv(Data.of(number, 0, 1), Communicator.ANY_SOURCE, TAG);
    number[0]++;
    world.send(Data.of(number, 0, 1), request.source(), TAG);
  }

  private static int acknowledge(Job job) {
    List<Integer> failed = job.world().acknowledgeFailedRanks();
    System.out.println(failed.stream().map(rank -> " " + rank).collect(Collectors.joining("", "acknowledged", "")));
    return failed.size();
  }

  private static void ask(Communicator world) throws IOException {
    System.in.readAllBytes();
    long[] number = {41};
    world.send(Data.of(number, 0, 1), 0, TAG);
    world.recv(Data.of(number, 0, 1), 0, TAG);
    System.out.println("answered " + number[0]);
  }
}
