package io.adrastea.it;

import io.adrastea.Job;
import java.io.IOException;

/** Prints where and how it runs, as the kernel and the library say. */
public final class PlacementRank {
  private PlacementRank() {}

  public static void main(String[] args) throws IOException {
    try (Job job = Job.join()) {
      System.out.printf(
          "rank=%d core=%s cpus=%s jvm=%s known=%s topology=%s cells=%s payload=%s timeout=%s%n",
          job.world().rank(),
          job.core(),
          Processes.status("thread-self", "Cpus_allowed_list"),
          Processes.status("self", "Cpus_allowed_list"), // of the thread that started the JVM
          job.cpus(job.world().rank()),
          job.topology().allowed(),
          System.getenv("ADRASTEA_CELLS"),
          System.getenv("ADRASTEA_CELL_BYTES"),
          System.getenv("ADRASTEA_JOIN_TIMEOUT"));
    }
  }
}
