package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.collective.CollectiveKind;
import io.adrastea.collective.SomeCollective;
import io.adrastea.link.pipe.AddedLinks;
import io.adrastea.link.JobRank;
import io.adrastea.link.Link;
import io.adrastea.peers.NodeLink;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** On one node no collective sends a message. */
class CollectiveMessagesTest {
  private static final List<String> SENDING = List.of("trySend", "claim");

  private final AtomicInteger messages = new AtomicInteger();

  /** Shared memory whose messages are counted. */
  private Link counted(JobRank self) {
    return (Link) Proxy.newProxyInstance(NodeLink.class.getClassLoader(), new Class<?>[] {NodeLink.class},
        (proxy, method, arguments) -> {
          if (SENDING.contains(method.getName())) {
            messages.incrementAndGet();
          }
          try {
            return method.invoke(self.sharedMemory(), arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  private void runCounted(int ranks, Job.Body body) throws Exception {
    AddedLinks.with(this::counted, () -> Job.runThreads(ranks, body));
  }

  /** Collectives of no kind send any, in no form. */
  @Test
  void areNotSentByCollectives() throws Exception {
    runCounted(3, job -> {
      Communicator world = job.world();
      SplittableRandom same = new SplittableRandom(1);
      SplittableRandom own = new SplittableRandom(world.rank());
      for (CollectiveKind kind : CollectiveKind.ALL) {
        for (int i = 0; i < 24; i++) {
          SomeCollective one = new SomeCollective(world, List.of(kind), 50_000, same, own);
          switch (i % 3) {
            case 0 -> one.run();
            case 1 -> one.start(new Request()).await();
            default -> one.prepare().start().await();
          }
          one.check();
        }
      }
      world.allreduce(1.0, Op.MAX);
      try (Communicator twin = world.dup(); Communicator some = twin.split(world.rank() % 2, 0)) {
        some.barrier();
      }
    });
    assertEquals(0, messages.get());
  }

  /** Nor are any to make a topology, and between its neighbours. */
  @Test
  void areNotSentByTopologies() throws Exception {
    runCounted(3, job -> {
      Communicator world = job.world();
      int[] others = {(world.rank() + 1) % 3, (world.rank() + 2) % 3};
      try (CartesianTopology ring = CartesianTopology.of(world, new int[] {3}, new boolean[] {true}, true);
          GraphTopology graph = GraphTopology.adjacent(world, others, others)) {
        for (RankTopology topology : List.of(ring, graph)) {
          for (int count : new int[] {1, 6, 1000, 50_000}) {
            Data both = Data.of(new long[2 * count]);
            topology.neighborAllgather(Data.of(new long[count]), both);
            topology.ineighborAlltoall(Data.of(new long[2 * count]), both).await();
            topology.neighborAlltoallInit(Data.of(new long[2 * count]), both).start().await();
          }
        }
      }
    });
    assertEquals(0, messages.get());
  }

  @Test
  void areCountedHere() throws Exception {
    runCounted(2, job -> {
      byte[] word = new byte[8];
      int other = 1 - job.world().rank();
      job.world().sendrecv(Data.of(word), other, 0, Data.of(new byte[8]), other, 0);
    });
    assertTrue(messages.get() >= 2, messages::toString);
  }
}
