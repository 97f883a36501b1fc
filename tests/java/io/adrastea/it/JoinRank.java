package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Says so and joins; once every rank has said that it has joined, rank 0 lists the directory of segments. With the
 * argument {@code stay} all then wait for each other for ever.
 */
public final class JoinRank {
  private static final int JOINED = 1;
  private static final int NEVER = 2;

  private JoinRank() {}

  public static void main(String[] args) throws IOException {
    System.out.println("joining");
    try (Job job = Job.join()) {
      Communicator world = job.world();
      byte[] word = new byte[1];
      if (world.rank() == 0) {
        for (int other = 1; other < world.size(); other++) {
          world.recv(Data.of(word, 0, 1), other, JOINED);
        }
        System.out.printf("all %d joined, files: %s%n", world.size(), files());
      } else {
        world.send(Data.of(word, 0, 1), 0, JOINED);
      }
      if (args.length > 0 && args[0].equals("stay")) {
        world.recv(Data.of(word, 0, 1), Communicator.ANY_SOURCE, NEVER);
      }
    }
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getenv("ADRASTEA_SHM_DIR")))) {
      return files.toList();
    }
  }
}
