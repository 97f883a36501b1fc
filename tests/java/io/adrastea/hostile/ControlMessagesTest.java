package io.adrastea.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.engine.control.ControlHandler;
import io.adrastea.engine.control.ControlMessages;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.step.Steppers;
import io.adrastea.link.Link;
import io.adrastea.peers.GivenAbilities;
import io.adrastea.peers.Nodes;
import io.adrastea.peers.Peers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order of control messages that wait for room, and which handler may have which type. */
class ControlMessagesTest {
  private static final ControlHandler NOBODY =
      new ControlHandler() {
        @Override
        public void reserve() {}

        @Override
        public boolean received(int source, int type, MemorySegment memory, int bytes) {
          return true;
        }
      };

  private final List<String> sent = new ArrayList<>();
  private int full = -1; // rank that has no room
  private final Steppers steppers = new Steppers();
  private final Link link =
      (Link) Proxy.newProxyInstance(
          Link.class.getClassLoader(), new Class<?>[] {Link.class}, (proxy, method, arguments) -> switch (method
              .getName()) {
            case "trySend" -> trySend((int) arguments[0], (long) arguments[2], (long) arguments[3],
                (MemorySegment) arguments[4]);
            case "isPresent" -> true;
            case "hashCode" -> 0;
            case "equals" -> proxy == arguments[0];
            default -> method.getReturnType() == int.class ? 0 : null;
          });

  private final Peers peers = new Peers(0, Nodes.one(3), GivenAbilities.all(3), new Link[] {link, link, link}, null);
  private final ControlMessages control =
      new ControlMessages(peers, new Liveness(peers, false), steppers, peer -> {});

  private int trySend(int peer, long match, long bytes, MemorySegment memory) {
    if (peer == full) {
      return Link.AGAIN;
    }
    sent.add("%d: %d of type %d".formatted(peer, memory.get(ValueLayout.JAVA_LONG, 0), match & 0xFF));
    return (int) bytes;
  }

  private void send(int peer, int type, long word) {
    control.send(peer, type, MemorySegment.ofArray(new long[] {word}), Long.BYTES);
  }

  @Test
  void goOutAtOnceWhereThereIsRoom() {
    send(1, 9, 5);
    assertEquals(List.of("1: 5 of type 9"), sent);
    assertTrue(steppers.isIdle());
    assertTrue(control.flush());
  }

  @Test
  void keepTheirOrderToARankAndStopNoneToAnother() {
    full = 1;
    send(1, 9, 5);
    send(2, 8, 6);
    send(1, 7, 7);
    assertFalse(steppers.isIdle());
    assertTrue(steppers.step());
    assertEquals(List.of("2: 6 of type 8"), sent);
    assertFalse(steppers.step());
    assertFalse(control.flush());
    full = -1;
    assertTrue(steppers.step());
    assertTrue(steppers.isIdle());
    assertEquals(List.of("2: 6 of type 8", "1: 5 of type 9", "1: 7 of type 7"), sent);
  }

  @Test
  void handlesATypeOnce() {
    control.register(9, NOBODY);
    String words = assertThrows(IllegalArgumentException.class, () -> control.register(9, NOBODY)).getMessage();
    assertTrue(words.contains("type 9 have a handler"), words);
    control.register(0, NOBODY);
    control.register(255, NOBODY);
  }

  @Test
  void haveTypesOf8Bits() {
    for (int type : new int[] {-1, 256}) {
      String words = assertThrows(IllegalArgumentException.class, () -> control.register(type, NOBODY)).getMessage();
      assertTrue(words.contains("allowed are types from 0 to 255"), words);
    }
  }
}
