package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** What a call says that it received stays said. */
@EveryCoreList
class StatusTest {
  @Parameter
  String cores;

  private static Status received(Communicator world, int bytes, int tag) {
    world.send(Data.of(new byte[bytes]), 0, tag);
    return world.recv(Data.of(new byte[8]), 0, tag);
  }

  @Test
  void isChangedByNoLaterCall() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          Status first = received(world, 3, 7);
          Status second = received(world, 5, 8);
          world.send(Data.of(new byte[2]), 0, 9);
          Status probed = world.probe(0, 9);
          Status awaited = world.irecv(Data.of(new byte[2]), 0, 9).await();
          assertEquals("3 bytes from rank 0 with tag 7", first.toString());
          assertEquals(new Status(0, 7, 3, false), first);
          assertEquals(new Status(0, 8, 5, false), second);
          assertEquals(new Status(0, 9, 2, false), probed);
          assertEquals(probed, awaited);
          assertNotEquals(first, second);
          assertFalse(first.isCancelled());
          assertEquals("empty", world.isend(Data.of(new byte[2]), Communicator.NO_RANK, 0).await().toString());
          assertEquals("nothing from no rank",
              world.recv(Data.of(new byte[2]), Communicator.NO_RANK, 0).toString());
        });
  }

  @Test
  void isTheSameObjectForEqualMessagesInARow() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          Status first = received(world, 3, 7);
          assertSame(first, received(world, 3, 7));
          assertEquals(4, received(world, 4, 7).bytes());
        });
  }
}
