package io.adrastea.it;

import io.adrastea.FreePort;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Ranks killed at random in collectives of all kinds and forms, on one node and on several: each survivor ends the
 * collective with right data or fails with the number of a dead rank, the next one fails on all, and a communicator of
 * the survivors goes on. {@code -Dadrastea.test.kills=N}: so many kills; {@code -Dadrastea.seed=N}: the order and
 * pauses of a run before.
 */
class CollectiveSurvivalIT {
  private static final int FEW_KILLS = 6;
  private static final int FEW_KILLS_ON_NODES = 3; // of a node, of one that leads and of any
  private static final int SURVIVORS = 2;
  private static final int VICTIMS = 6; // of one job
  private static final String FEW_BUFFERS = "-XX:MaxDirectMemorySize=128m"; // at a time, since each is left to the GC
  private static final int MOST_PAUSE = 100; // milliseconds from the beginning of a round to its kill
  private static final String[] ALL = {"ffm", "java", "jni"};
  private static final String[] READERS = {"ffm", "jni"}; // which read each other's memory

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  @RegisterExtension
  final ShmDirectory second = new ShmDirectory();

  @RegisterExtension
  final ShmDirectory third = new ShmDirectory();

  private final int kills = Integer.getInteger("adrastea.test.kills", FEW_KILLS);
  private final long seed = Long.getLong("adrastea.seed", System.nanoTime());

  @Test
  void aRankKilledInACollectiveFailsItForAllAndTheOthersGoOn() throws Exception {
    System.out.printf("CollectiveSurvivalIT: %d kills, -Dadrastea.seed=%d%n", kills, seed);
    for (int done = 0; done < kills; done += VICTIMS) {
      kill(ALL, seed + done, Math.min(VICTIMS, kills - done));
    }
  }

  @Test
  void norDoesOneWhoseMemoryIsRead() throws Exception {
    System.out.printf("CollectiveSurvivalIT: %d kills, -Dadrastea.seed=%d%n", kills, seed);
    for (int done = 0; done < kills; done += VICTIMS) {
      kill(READERS, seed + done, Math.min(VICTIMS, kills - done));
    }
  }

  /** Victims are any ranks, the first of their nodes, which lead them, and all of a node. */
  @Test
  void norDoThoseOfOtherNodesNorWholeNodes() throws Exception {
    int wanted = Integer.getInteger("adrastea.test.kills", FEW_KILLS_ON_NODES);
    System.out.printf("CollectiveSurvivalIT: %d kills, -Dadrastea.seed=%d%n", wanted, seed);
    int done = 0;
    while (done < wanted) {
      done += killOnNodes(new Random(seed + done), wanted - done);
    }
  }

  private void kill(String[] cores, long seed, int victims) throws Exception {
    String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    Random random = new Random(seed);
    int size = SURVIVORS + victims;
    List<List<Integer>> rounds = new ArrayList<>();
    List<Integer> living = new ArrayList<>(IntStream.range(0, size).boxed().toList());
    while (living.size() > SURVIVORS) {
      rounds.add(List.of(living.remove(random.nextInt(living.size()))));
    }
    String[] words = words(seed, rounds);
    kill(rounds, random, size,
        rank -> Launch.rank(shm, job, rank, size, words).set("core", cores[rank % cores.length]));
  }

  /** Runs one job of ranks dealt to three nodes; how many times it has killed. */
  private int killOnNodes(Random random, int most) throws Exception {
    int size = SURVIVORS + VICTIMS;
    int port = FreePort.find();
    List<ShmDirectory> nodes = List.of(shm, second, third);
    List<Integer> nodeOf = new ArrayList<>(IntStream.range(0, size).mapToObj(rank -> rank % nodes.size()).toList());
    Collections.shuffle(nodeOf, random);
    List<List<Integer>> rounds = roundsOnNodes(nodeOf, random, most);
    String[] words = words(random.nextLong(), rounds);
    kill(rounds, random, size,
        rank -> Launch.meeting(port, nodes.get(nodeOf.get(rank)), rank, size, words).set("links", "shm,tcp")
            .set("tcp.addresses", "127.0.0.0/8").set("core", ALL[rank % ALL.length]));
    nodes.forEach(ShmDirectory::removeSegments); // those of a node killed whole the next job there removes
    return rounds.size();
  }

  private static List<List<Integer>> roundsOnNodes(List<Integer> nodeOf, Random random, int most) {
    List<Integer> living = new ArrayList<>(IntStream.range(0, nodeOf.size()).boxed().toList());
    List<List<Integer>> rounds = new ArrayList<>();
    int kind = random.nextInt(3);
    while (living.size() > SURVIVORS && rounds.size() < most) {
      int any = living.get(random.nextInt(living.size()));
      List<Integer> node = living.stream().filter(rank -> nodeOf.get(rank).equals(nodeOf.get(any))).toList();
      List<Integer> victims = switch (kind++ % 3) {
        case 0 -> node;
        case 1 -> List.of(node.getFirst());
        default -> List.of(any);
      };
      if (living.size() - victims.size() >= SURVIVORS) {
        living.removeAll(victims);
        rounds.add(victims);
      }
    }
    return rounds;
  }

  private static String[] words(long seed, List<List<Integer>> rounds) {
    return Stream.concat(Stream.of("io.adrastea.it.CollectiveSurvivalRank", Long.toString(seed)),
        rounds.stream().map(victims -> Integer.toString(victims.size()))).toArray(String[]::new);
  }

  private static void kill(List<List<Integer>> rounds, Random random, int size, IntFunction<Launch> launch)
      throws Exception {
    List<Child> ranks = new ArrayList<>();
    try {
      for (int rank = 0; rank < size; rank++) {
        ranks.add(launch.apply(rank).flags(FEW_BUFFERS).start());
      }
      List<Child> living = new ArrayList<>(ranks);
      for (int round = 0; round < rounds.size(); round++) {
        for (Child rank : living) {
          rank.awaitOutput("^round " + round + "$");
        }
        Thread.sleep(random.nextInt(MOST_PAUSE));
        List<Child> victims = rounds.get(round).stream().map(ranks::get).toList();
        for (Child victim : victims) {
          victim.signal("KILL");
        }
        for (Child victim : victims) {
          victim.await().exits(137);
        }
        living.removeAll(victims);
      }
      for (Child rank : living) {
        rank.await().exits(0).prints("survived " + rounds.size());
      }
    } catch (AssertionError e) {
      ranks.forEach(rank -> e.addSuppressed(
          new AssertionError("rank %d: %s".formatted(ranks.indexOf(rank), rank.soFar()))));
      throw e;
    } finally {
      ranks.forEach(Child::close);
    }
  }
}
