package io.adrastea.example;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Status;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.RankLeftException;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A server with the loop of docs/guide/failures.md, as it stands there: it answers a number by the next one. */
public final class ServerLoop {
  public static final int REQUEST = 5;

  private final Communicator world;
  private final long[] number = new long[1];
  private final Data request = Data.of(number);
  private final Set<Integer> clients;
  private int answers;

  /** All other ranks are its clients. */
  public ServerLoop(Communicator world) {
    this.world = world;
    this.clients =
        IntStream.range(0, world.size()).filter(rank -> rank != world.rank()).boxed().collect(Collectors.toSet());
  }

  /** Serves until each client has left or failed; how many answers it gave. */
  public int run() {
    while (!clients.isEmpty()) {
      try {
        answer(world.recv(request, Communicator.ANY_SOURCE, REQUEST));
      } catch (RankLeftException e) {
        world.acknowledgeLeftRanks().forEach(clients::remove);
      } catch (RankFailedException e) {
        world.acknowledgeFailedRanks().forEach(clients::remove);
      }
    }
    return answers;
  }

  private void answer(Status asked) {
    number[0]++;
    answers++;
    world.send(request, asked.source(), REQUEST);
  }

  /** Asks rank 0, and is answered. */
  public static long ask(Communicator world, long number) {
    long[] word = {number};
    world.send(Data.of(word), 0, REQUEST);
    world.recv(Data.of(word), 0, REQUEST);
    return word[0];
  }
}
