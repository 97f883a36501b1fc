package io.adrastea.engine.window;

import io.adrastea.engine.active.ActiveHandler;
import io.adrastea.engine.active.ActiveMessages;
import io.adrastea.engine.collective.Collectives;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.resources.Resources;
import io.adrastea.payload.Payload;
import io.adrastea.wait.Waits;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The windows of one rank: makes them, and hands each what comes for it. A window is known by the number of its
 * communicator's context, which its members have alike.
 */
public final class Windows implements ActiveHandler {
  /** The type of the active messages of windows. */
  static final int TYPE = 254;

  private final Resources resources;
  private final Waits waits;
  private final ActiveMessages active;
  private final Map<Integer, WindowState> open = new ConcurrentHashMap<>(); // until all members have closed it

  /** Makes the windows of a rank, of which there are none yet. */
  public Windows(Resources resources, Waits waits, ActiveMessages active) {
    this.resources = resources;
    this.waits = waits;
    this.active = active;
    active.register(TYPE, this);
  }

  /**
   * Makes a window of memory that is taken for it; all members call it alike.
   *
   * @param number of the context of the members' communicator
   * @param rank of this one among the members
   * @param bytes of this rank's memory, 0 or more
   * @param unit bytes that displacements in it are counted by, at least 1
   */
  public WindowState allocate(int number, Collectives collectives, Members members, int rank, long bytes, int unit) {
    WindowMaking making = new WindowMaking(resources, collectives, members, rank);
    return make(number, making, collectives, members, rank, () -> making.allocate(bytes, unit));
  }

  /** Makes a window over memory of the program; parameters as of {@link #allocate}. */
  public WindowState over(
      int number, Collectives collectives, Members members, int rank, MemorySegment memory, int unit) {
    WindowMaking making = new WindowMaking(resources, collectives, members, rank);
    return make(number, making, collectives, members, rank, () -> making.over(memory, unit));
  }

  private WindowState make(int number, WindowMaking making, Collectives collectives, Members members, int rank,
      Supplier<WindowMaking.Made> maker) {
    making.requireAble();
    boolean kept = false;
    try {
      WindowMaking.Made made = maker.get();
      WindowState window = null;
      if (made != null) { // before others know that they may ask this rank for something
        window = new WindowState(resources, waits, active, collectives, members, rank, number, made,
            () -> leave(number));
        open.put(number, window);
      }
      making.confirm();
      kept = true;
      return window;
    } finally {
      if (!kept) {
        leave(number);
        making.giveBack();
      }
    }
  }

  private void leave(int number) {
    open.remove(number);
  }

  private WindowState find(long... header) {
    return open.get((int) header[WindowMessages.WHAT]);
  }

  @Override
  public void reserve() {
    active.reserve(1);
  }

  @Override
  public Payload begin(int source, long[] header, long length) {
    WindowState window = find(header);
    return window == null ? null : window.begin(source, header, length);
  }

  @Override
  public void finished(int source, long[] header, Payload memory) {
    WindowState window = find(header);
    if (window != null) {
      window.finished(source, header, memory);
    }
  }

  @Override
  public void failed(int source, long[] header, Payload memory, RuntimeException cause) {
    WindowState window = find(header);
    if (window != null) {
      window.failed(header, cause);
    }
  }
}
