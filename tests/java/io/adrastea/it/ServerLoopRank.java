package io.adrastea.it;

import io.adrastea.Job;
import io.adrastea.example.ServerLoop;

/**
 * Rank 0 serves by the loop of docs/guide/failures.md, and says how many requests it has answered. Another rank asks
 * once, says so, and does as its argument tells: {@code leave}, {@code throw}, {@code fail}, or {@code wait} until it
 * is killed.
 */
public final class ServerLoopRank {
  private ServerLoopRank() {}

  public static void main(String[] args) throws Exception {
    Job.run(job -> run(job, args.length == 0 ? "" : args[0]));
  }

  private static void run(Job job, String way) throws InterruptedException {
    if (job.world().rank() == 0) {
      System.out.println("answers " + new ServerLoop(job.world()).run());
      return;
    }
    System.out.println("answered " + ServerLoop.ask(job.world(), 41));
    switch (way) {
      case "throw" -> throw new IllegalStateException("client has a bug");
      case "fail" -> job.fail("no license");
      case "wait" -> Thread.sleep(Long.MAX_VALUE);
      default -> {
      }
    }
  }
}
