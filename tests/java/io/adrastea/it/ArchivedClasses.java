package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.Request;
import io.adrastea.cli.Main;

/**
 * Does once what ranks and launchers do, so that their classes are loaded when the JVM ends. {@link ClassArchive} has
 * Java run the text of this class: its class path is to hold a jar alone.
 */
public final class ArchivedClasses {
  private static final int LARGE = 1 << 20;

  private ArchivedClasses() {}

  public static void main(String[] args) throws Exception {
    for (String core : new String[] {"ffm", "java"}) {
      System.setProperty("adrastea.core", core);
      Job.builder().runThreads(2, job -> exchange(job.world()));
    }
    System.clearProperty("adrastea.core");
    Main.main(new String[] {"run", "-n", "2", "--label", "always", "--", "sh", "-c", "echo out; echo err >&2"});
  }

  private static void exchange(Communicator world) {
    int peer = 1 - world.rank();
    for (int bytes : new int[] {8, LARGE}) {
      Request send = world.isend(Data.of(new byte[bytes]), peer, 0);
      world.recv(Data.of(new byte[bytes]), peer, 0);
      send.await();
    }
    world.barrier();
  }
}
