package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Job;
import io.adrastea.Request;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Rank 0 keeps rank 1 waiting for a second in each kind of wait; rank 1 says which part of it its thread had a CPU. */
public final class IdleRank {
  private static final int TAG = 3;
  private static final int LARGE = 4 << 20; // more than all cells hold
  private static final String[] WAITS = {"recv", "any", "probe", "barrier", "waitany", "send", "large"};

  private IdleRank() {}

  public static void main(String[] args) throws InterruptedException {
    try (Job job = Job.join()) {
      for (String kind : WAITS) {
        job.world().barrier();
        if (job.world().rank() == 0) {
          Thread.sleep(1000);
          satisfy(job.world(), kind);
        } else {
          measure(job.world(), kind);
        }
      }
    }
  }

  private static void measure(Communicator world, String kind) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = System.nanoTime();
    long cpu = threads.getCurrentThreadCpuTime();
    await(world, kind);
    long used = threads.getCurrentThreadCpuTime() - cpu;
    System.out.printf("%s %.1f%n", kind, 100.0 * used / (System.nanoTime() - start));
  }

  private static void await(Communicator world, String kind) {
    byte[] message = new byte[kind.equals("large") || kind.equals("send") ? LARGE : 1];
    switch (kind) {
      case "any" -> world.recv(message, 0, 1, Communicator.ANY_SOURCE, TAG);
      case "probe" -> {
        world.probe(0, TAG);
        world.recv(message, 0, 1, 0, TAG);
      }
      case "barrier" -> world.barrier();
      case "waitany" -> {
        Request other = world.irecv(new byte[1], 0, 1, 0, TAG + 1);
        Request.waitAny(world.irecv(message, 0, 1, 0, TAG), other);
        other.await();
      }
      case "send" -> world.send(message, 0, LARGE, 0, TAG);
      default -> world.recv(message, 0, message.length, 0, TAG);
    }
  }

  private static void satisfy(Communicator world, String kind) {
    byte[] message = new byte[kind.equals("large") || kind.equals("send") ? LARGE : 1];
    switch (kind) {
      case "barrier" -> world.barrier();
      case "waitany" -> {
        world.send(message, 0, 1, 1, TAG);
        world.send(message, 0, 1, 1, TAG + 1);
      }
      case "send" -> world.recv(message, 0, LARGE, 1, TAG);
      default -> world.send(message, 0, message.length, 1, TAG);
    }
  }
}
