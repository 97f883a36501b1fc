package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;

/** A rank that waits for a message of the next one for ever. */
public final class HangRank {
  private static final int TAG = 7;

  private HangRank() {}

  public static void main(String[] args) {
    try (Job job = Job.join()) {
      Communicator world = job.world();
      byte[] word = new byte[8];
      int next = (world.rank() + 1) % world.size();
      world.recv(Data.of(word, 0, 8), next, TAG);
    }
  }
}
