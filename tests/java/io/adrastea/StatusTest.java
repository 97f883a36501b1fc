package io.adrastea;

import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
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

  @Test
  void elementsAreToldAsBytesAndBack() {
    Datatype point = Datatype.struct(new long[] {2, 1, 3}, new long[] {0, 16, 24}, Datatype.DOUBLE, Datatype.SHORT,
        Datatype.contiguous(2, Datatype.INT));
    Datatype nested = Datatype.vector(3, 2, 5, point);
    long[] ends = {0, 8, 16, 18, 22, 26, 30, 34, 38, 42};
    Status status = new Status(1, 2, 3, false);
    for (long elements = 0; elements < 70; elements++) {
      long bytes = elements / 9 * 42 + ends[(int) (elements % 9)];
      for (Datatype type : List.of(point, nested)) {
        assertEquals(bytes, type.bytesOfElements(elements));
        assertEquals(elements, status.withElements(type, elements).elements(type));
      }
    }
    assertEquals(new Status(1, 2, 26, false), status.withElements(point, 5));
    assertEquals(Communicator.UNDEFINED, status.withElements(point, 5).count(point));
    assertEquals(2, status.withElements(point, 18).count(point));
    assertEquals(0, Datatype.contiguous(0, Datatype.INT).bytesOfElements(0));
    assertEquals(16, Datatype.DOUBLE_COMPLEX.bytesOfElements(2));
  }

  @Test
  void elementsThatCannotBeAreRefused() {
    Class<IllegalArgumentException> illegal = IllegalArgumentException.class;
    refuses(illegal, "-1 basic elements; there may be 0 or more", () -> Datatype.INT.bytesOfElements(-1));
    refuses(illegal, "64 bits", () -> Datatype.LONG.bytesOfElements(Long.MAX_VALUE / 2));
    Datatype nothing = Datatype.contiguous(0, Datatype.INT);
    refuses(illegal, "1 basic elements of a datatype that has none", () -> nothing.bytesOfElements(1));
    refuses(NullPointerException.class, "the datatype is null", () -> Status.EMPTY.withElements(null, 1));
  }
}
