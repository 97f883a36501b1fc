package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;

/** A program that nobody launched: a job of one, then one whose two ranks are threads. */
public final class ThreadsMain {
  private static final int TAG = 3;

  private ThreadsMain() {}

  public static void main(String[] args) {
    Job.runThreads(2, ThreadsMain::exchange);
    try (Job job = Job.join()) {
      System.out.printf(
          "a job of %d on %s in module %s%n",
          job.world().size(), job.core(), Job.class.getModule().getName());
    }
  }

  private static void exchange(Job job) {
    Communicator world = job.world();
    int[] word = {world.rank() + 10};
    int peer = 1 - world.rank();
    if (world.rank() == 0) {
      world.send(Data.of(word, 0, 1), peer, TAG);
      world.recv(Data.of(word, 0, 1), peer, TAG);
      System.out.println("rank 1 answered " + word[0]);
    } else {
      world.recv(Data.of(word, 0, 1), peer, TAG);
      word[0]++;
      world.send(Data.of(word, 0, 1), peer, TAG);
    }
  }
}
