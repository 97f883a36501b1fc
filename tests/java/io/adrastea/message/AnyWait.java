package io.adrastea.message;

import static io.adrastea.Communicator.ANY_SOURCE;
import static io.adrastea.failure.FailingRanks.TAG;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Message;
import io.adrastea.Request;
import io.adrastea.failure.FailingRanks;
import java.util.function.ToIntFunction;

/** Ways to wait for 8 bytes of anybody, and to receive them. */
public enum AnyWait {
  RECV(world -> world.recv(Data.of(new byte[8]), ANY_SOURCE, TAG).source()), RECV_OF_WHAT_MAY_BE_LARGE(
      world -> world.recv(Data.of(new byte[FailingRanks.BIG]), ANY_SOURCE, TAG).source()), RECV_IN_PLACE(
          AnyWait::receiveInPlace), PROBE(AnyWait::probeAndReceive), AWAIT(
              world -> start(world).await().source()), TEST(AnyWait::testInALoop), WAIT_ANY(AnyWait::awaitAny);

  private final ToIntFunction<Communicator> wait;

  AnyWait(ToIntFunction<Communicator> wait) {
    this.wait = wait;
  }

  /** Waits; whose message came. */
  public int source(Communicator world) {
    return wait.applyAsInt(world);
  }

  private static Request start(Communicator world) {
    return world.irecv(Data.of(new byte[8]), ANY_SOURCE, TAG);
  }

  private static int receiveInPlace(Communicator world) {
    try (Message message = world.recvMessage(ANY_SOURCE, TAG)) {
      return message.source();
    }
  }

  private static int probeAndReceive(Communicator world) {
    int source = world.probe(ANY_SOURCE, TAG).source();
    world.recv(Data.of(new byte[8]), source, TAG);
    return source;
  }

  private static int testInALoop(Communicator world) {
    Request request = start(world);
    while (!request.test()) {
      Thread.onSpinWait();
    }
    return request.status().source();
  }

  private static int awaitAny(Communicator world) {
    Request request = start(world);
    Request.waitAny(null, request);
    return request.status().source();
  }
}
