package io.adrastea.communicator;

import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.EveryCoreListOfWorld;
import io.adrastea.Intercommunicator;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.StartedDup;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.RankFailedException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Duplicates that are made while their ranks do something else. */
@EveryCoreListOfWorld
class StartedDupTest {
  private static final int TAG = 6;

  @Parameter
  String cores;

  private static void talk(Communicator world, Communicator made) {
    assertEquals(world.group(), made.group());
    assertEquals(made.size(), made.allreduce(1L, Op.SUM));
    made.send(Data.of(new int[] {made.rank()}), made.rank(), TAG);
    assertNull(world.iprobe(world.rank(), TAG), "messages do not mix");
    made.recv(Data.of(new int[1]), made.rank(), TAG);
  }

  @Test
  void isThereOnceItsRequestHasReported() throws Exception {
    Ranks.run(cores, 3, job -> {
      Communicator world = job.world();
      if (world.rank() == 0) { // the others cannot know of it before
        world.recv(Data.EMPTY, 1, TAG);
        world.recv(Data.EMPTY, 2, TAG);
      }
      StartedDup<Communicator> dup = world.idup();
      assertTrue(dup.request().isActive());
      refuses(IllegalStateException.class, "a duplicate of world is being made; await or test its request first",
          dup::communicator);
      assertTrue(dup.toString().startsWith("started duplicate of world: request, active: "), dup::toString);
      if (world.rank() != 0) {
        assertFalse(dup.request().test());
        assertThrows(UnsupportedOperationException.class, dup.request()::cancel);
        world.send(Data.EMPTY, 0, TAG);
      }
      dup.request().await();
      try (Communicator made = dup.communicator()) {
        assertSame(made, dup.communicator());
        assertEquals(made.toString(), dup.toString());
        talk(world, made);
      }
      dup.request().await();
    });
  }

  @Test
  void severalAreMadeAmongOtherCollectives() throws Exception {
    Ranks.run(cores, 3, job -> {
      Communicator world = job.world();
      List<StartedDup<Communicator>> dups = new ArrayList<>();
      long[] sum = new long[50_000];
      for (int i = 0; i < 7; i++) {
        dups.add(world.idup());
      }
      Request reduces = world.iallreduce(Data.of(sum.clone()), Data.of(sum), Op.SUM);
      Request[] all = Stream.concat(dups.stream().map(StartedDup::request), Stream.of(reduces)).toArray(Request[]::new);
      assertEquals(6, world.allreduce(world.rank() + 1L, Op.SUM));
      if (world.rank() == 1) {
        for (int left = all.length; left > 0; left--) {
          Request.waitAny(all);
        }
      } else {
        Request.waitAll(all);
      }
      for (int i = 0; i < dups.size(); i++) {
        try (Communicator made = dups.get(i).communicator()) {
          talk(world, made);
          for (int other = 0; other < i; other++) {
            assertNotEquals(dups.get(other).communicator().name(), made.name());
          }
        }
      }
    });
  }

  @Test
  void anIntercommunicatorHasOneToo() throws Exception {
    Ranks.run(cores, 3, job -> {
      Communicator world = job.world();
      boolean serves = world.rank() == 0;
      try (Communicator group = world.split(serves ? 0 : 1, 0);
          Intercommunicator inter = Intercommunicator.create(group, 0, world, serves ? 1 : 0, TAG)) {
        StartedDup<Intercommunicator> dup = inter.idup();
        dup.request().await();
        try (Intercommunicator made = dup.communicator()) {
          assertEquals(inter.remoteGroup(), made.remoteGroup());
          int[] got = new int[made.remoteSize()];
          made.allgather(Data.of(new int[] {1}), Data.of(got));
          assertEquals(1, got[got.length - 1]);
        }
      }
    });
  }

  @Test
  void oneAloneMakesItAtOnce() throws Exception {
    Ranks.run(cores, 1, job -> {
      StartedDup<Communicator> dup = job.world().idup();
      assertTrue(dup.request().test());
      talk(job.world(), dup.communicator());
      dup.communicator().close();
    });
  }

  @Test
  void aRankThatFailsEndsTheMaking() {
    IllegalArgumentException cause = new IllegalArgumentException("on purpose");
    assertSame(cause, assertThrows(IllegalArgumentException.class, () -> Ranks.run(cores, 2, job -> {
      Communicator world = job.world();
      if (world.rank() == 0) {
        throw cause;
      }
      StartedDup<Communicator> dup = world.idup();
      assertThrows(RankFailedException.class, dup.request()::await);
      assertThrows(RankFailedException.class, dup.request()::await);
      refuses(IllegalStateException.class, "a duplicate of world was not made: ", dup::communicator);
    })));
  }

  @Test
  void aRankThatClosesTheParentBeforeItHasReportedIsKeptOut() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator world = job.world();
      Communicator parent = world.dup();
      StartedDup<Communicator> dup = parent.idup();
      if (world.rank() == 1) {
        parent.release(); // it is closed once its part of the collective is over
        world.recv(Data.EMPTY, 0, TAG);
        assertThrows(AdrasteaException.class, dup.request()::await);
      } else {
        dup.request().await();
        assertThrows(AdrasteaException.class, dup.communicator()::barrier);
        dup.communicator().close();
        world.send(Data.EMPTY, 1, TAG);
        parent.close();
      }
    });
  }

  @Test
  void aClosedCommunicatorHasNone() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator one = job.world().dup();
      one.close();
      refuses(IllegalStateException.class, "the communicator is closed", one::idup);
      StartedDup<Communicator> dup = job.world().idup();
      dup.request().await();
      dup.communicator().close();
    });
  }
}
