package io.adrastea.bench.jmh;

import io.adrastea.Communicator;
import io.adrastea.Job;

/** A job of one rank on a given core. */
final class Self implements AutoCloseable {
  private static final String CORE = "adrastea.core";

  private final Job job;

  Self(String core) {
    System.setProperty(CORE, core);
    job = Job.join();
  }

  Communicator world() {
    return job.world();
  }

  @Override
  public void close() {
    job.close();
  }
}
