package io.adrastea.engine.control;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntSupplier;

/**
 * Control messages that nobody waits for, from threads that are inside the gate or not. They go out with the next call
 * that sends them, at the latest with the check of liveness.
 */
public final class Notices {
  /** In place of a rank: there is nobody to be told. */
  public static final int NOBODY = -1;

  private final ControlMessages control;
  private final ConcurrentLinkedQueue<Notice> waiting = new ConcurrentLinkedQueue<>();

  /** @param words of the message */
  private record Notice(IntSupplier peer, int type, int... words) {}

  public Notices(ControlMessages control) {
    this.control = control;
  }

  /**
   * Keeps a message to be sent. Any thread may call, whether it is inside the gate or not.
   *
   * @param peer names the job rank when it is sent; {@link #NOBODY}: it is dropped
   * @param words of the message
   */
  public void add(IntSupplier peer, int type, int... words) {
    waiting.add(new Notice(peer, type, words));
  }

  /** Sends all that are kept. Called inside the gate. */
  public void send() {
    for (Notice notice = waiting.poll(); notice != null; notice = waiting.poll()) {
      int peer = notice.peer.getAsInt();
      if (peer != NOBODY) {
        MemorySegment words = MemorySegment.ofArray(notice.words);
        control.send(peer, notice.type, words, (int) words.byteSize());
      }
    }
  }
}
