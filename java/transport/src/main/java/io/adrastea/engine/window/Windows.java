package io.adrastea.engine.window;

import io.adrastea.engine.active.ActiveHandler;
import io.adrastea.engine.active.ActiveMessages;
import io.adrastea.engine.collective.Collectives;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.resources.Resources;
import io.adrastea.engine.step.Stepper;
import io.adrastea.engine.step.Steppers;
import io.adrastea.payload.Payload;
import io.adrastea.wait.Gate;
import io.adrastea.wait.ProgressLoop;
import io.adrastea.wait.Waits;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * The windows of one rank: makes them, and hands each what comes for it. A window is known by the number of its
 * communicator's context, which its members have alike.
 */
public final class Windows implements ActiveHandler, Stepper {
  /** The type of the active messages of windows. */
  static final int TYPE = 254;

  private final Resources resources;
  private final Waits waits;
  private final ActiveMessages active;
  private volatile Entry[] open = {}; // until all members have closed it; not changed, but replaced
  private final Steppers steppers;
  private final int stepper; // number of this one
  private final List<WindowMessages> holdingBack = new ArrayList<>(); // those with accesses that go on in steps
  private final Runnable wakeThread;
  private final Supplier<ProgressLoop> threads;
  private int wanting; // windows that want a progress thread; inside the gate
  private ProgressLoop thread; // which they have started; null: none; inside the gate

  /** A window by its number, which a message is looked up with: an array of few takes no object for that, as a map. */
  private record Entry(int number, WindowState window) {}

  /**
   * Makes the windows of a rank, of which there are none yet.
   *
   * @param wakeThread is run when there is something for the progress thread
   * @param threads starts one, inside the gate; null of it: there is one
   */
  public Windows(Resources resources, Waits waits, ActiveMessages active, Steppers steppers, Runnable wakeThread,
      Supplier<ProgressLoop> threads) {
    this.threads = threads;
    this.resources = resources;
    this.waits = waits;
    this.active = active;
    this.steppers = steppers;
    this.stepper = steppers.register(this);
    this.wakeThread = wakeThread;
    active.register(TYPE, this);
  }

  /** The messages that a rank sends for accesses to one window. */
  WindowMessages messages(Members members, int number, boolean mayAsk) {
    return new WindowMessages(resources, waits, active, members, number, mayAsk, this::holdBack, wakeThread);
  }

  private void holdBack(WindowMessages messages) {
    if (!holdingBack.contains(messages)) {
      holdingBack.add(messages);
    }
    steppers.start(stepper);
  }

  @Override
  public boolean step() {
    boolean any = false;
    for (int i = holdingBack.size() - 1; i >= 0; i--) {
      any |= holdingBack.get(i).step();
      if (holdingBack.get(i).isIdle()) {
        holdingBack.remove(i);
      }
    }
    return any;
  }

  @Override
  public boolean isIdle() {
    return holdingBack.isEmpty();
  }

  /**
   * Makes a window of memory that is taken for it; all members call it alike.
   *
   * @param number of the context of the members' communicator
   * @param rank of this one among the members
   * @param bytes of this rank's memory, 0 or more
   * @param unit bytes that displacements in it are counted by, at least 1
   * @param wantsThread whether this rank is to have a progress thread as long as it has the window
   */
  public WindowState allocate(int number, Collectives collectives, Members members, int rank, long bytes, int unit,
      boolean wantsThread) {
    WindowMaking making = new WindowMaking(resources, collectives, members, rank);
    return make(number, making, collectives, members, rank, wantsThread, () -> making.allocate(bytes, unit));
  }

  /** Makes a window over memory of the program; parameters as of {@link #allocate}. */
  public WindowState over(
      int number, Collectives collectives, Members members, int rank, MemorySegment memory, int unit,
      boolean wantsThread) {
    WindowMaking making = new WindowMaking(resources, collectives, members, rank);
    return make(number, making, collectives, members, rank, wantsThread, () -> making.over(memory, unit));
  }

  /** Makes a window that memory is attached to afterwards; parameters as of {@link #allocate}. */
  public WindowState dynamic(int number, Collectives collectives, Members members, int rank, boolean wantsThread) {
    WindowMaking making = new WindowMaking(resources, collectives, members, rank);
    return make(number, making, collectives, members, rank, wantsThread, making::dynamic);
  }

  private WindowState make(int number, WindowMaking making, Collectives collectives, Members members, int rank,
      boolean wantsThread, Supplier<WindowMaking.Made> maker) {
    making.requireAble();
    boolean kept = false;
    boolean hasThread = false;
    try {
      if (wantsThread) {
        hasThread = beginThread(making);
      }
      WindowMaking.Made made = maker.get();
      WindowState window = null;
      if (made != null) { // before others know that they may ask this rank for something
        window = new WindowState(resources, waits, active, collectives, members, rank, number, made,
            this, hasThread ? this::endThread : () -> {}, () -> leave(number));
        enter(new Entry(number, window));
      }
      making.confirm();
      kept = true;
      return window;
    } finally {
      if (!kept) {
        leave(number);
        making.giveBack();
        if (hasThread) {
          endThread();
        }
      }
    }
  }

  /** Has a progress thread from now on; whether it has, else nobody makes the window. */
  private boolean beginThread(WindowMaking making) {
    Gate gate = resources.gate();
    if (gate.isExclusive()) {
      making.refuse(new IllegalStateException(
          "Window.Option.PROGRESS_THREAD at rank %d needs a job that several threads may use: join with ".formatted(
              resources.rank())
              + "Job.builder().threads(ThreadLevel.MULTIPLE), or with progressThread(), or leave the option out"));
      return false;
    }
    gate.enter();
    try {
      if (thread == null || !thread.isOpen()) {
        thread = threads.get();
      }
      wanting++;
      return true;
    } finally {
      gate.exit();
    }
  }

  /** A window wants it no longer: the last one ends it, if it was started for windows. */
  private void endThread() {
    Gate gate = resources.gate();
    ProgressLoop ended = null;
    gate.enterUnchecked(); // also where the job was left meanwhile
    try {
      if (--wanting == 0) {
        ended = thread;
        thread = null;
      }
    } finally {
      gate.exit();
    }
    if (ended != null) {
      ended.close();
    }
  }

  private synchronized void enter(Entry entry) {
    Entry[] more = Arrays.copyOf(open, open.length + 1);
    more[open.length] = entry;
    open = more;
  }

  private synchronized void leave(int number) {
    open = Arrays.stream(open).filter(entry -> entry.number != number).toArray(Entry[]::new);
  }

  private WindowState find(long... header) {
    int number = (int) header[WindowMessages.WHAT];
    for (Entry entry : open) {
      if (entry.number == number) {
        return entry.window;
      }
    }
    return null;
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
      window.failed(source, header, cause);
    }
  }
}
