package io.adrastea.engine.window;

import io.adrastea.engine.active.ActiveMessages;
import io.adrastea.engine.collective.Collectives;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.resources.Resources;
import io.adrastea.payload.Payload;
import io.adrastea.space.Exposed;
import io.adrastea.wait.Waits;
import java.lang.foreign.MemorySegment;

/** A window of one rank: its memory and that of all members as it reaches it, its epochs, its calls and its end. */
public final class WindowState {
  private final WindowMaking.Made made;
  private final Epochs epochs;
  private final WindowCalls calls;
  private final WindowMessages messages;
  private final WindowService service;
  private final Attachments attachments;
  private final Runnable endsThread; // which the window wanted
  private final Runnable leaves;
  private boolean closed;

  WindowState(Resources resources, Waits waits, ActiveMessages active, Collectives collectives, Members members,
      int rank, int number, WindowMaking.Made made, Windows windows, Runnable endsThread,
      Runnable leaves) {
    this.made = made;
    this.endsThread = endsThread;
    this.leaves = leaves;
    this.messages = windows.messages(members, number, asks(made.exposed()));
    this.attachments = new Attachments(resources.spaces(), members, made.exposed());
    this.epochs =
        new Epochs(resources, waits, collectives, members, rank, made.exposed(), messages, attachments, made.blocks());
    WindowAtomics atomics = new WindowAtomics(resources, members, rank, made.blocks());
    this.calls = new WindowCalls(resources, members, made.exposed(), messages, attachments, atomics);
    this.service = new WindowService(resources, active, members, number, rank, made.local(),
        made.exposed().part(rank).memory(), atomics);
  }

  /** Whether this rank asks any member to do something in its memory. */
  private static boolean asks(Exposed exposed) {
    boolean any = false;
    for (int member = 0; member < exposed.ranks(); member++) {
      Exposed.Way way = exposed.part(member).way();
      any |= way == Exposed.Way.HANDLER || way == Exposed.Way.CMA;
    }
    return any;
  }

  /** Memory of this rank. */
  public MemorySegment local() {
    return made.local();
  }

  /** The memory of all members. */
  public Exposed exposed() {
    return made.exposed();
  }

  public Epochs epochs() {
    return epochs;
  }

  public WindowCalls calls() {
    return calls;
  }

  public boolean isOpen() {
    return !closed;
  }

  /**
   * Ends the window for this rank, which waits for what this rank has asked others for, but for nobody to close it,
   * too. Others may use its memory until then, and this rank does what they ask for.
   */
  public void close() {
    epochs.requireNone("close");
    messages.awaitAll();
    closed = true;
    epochs.close();
    attachments.close();
    endsThread.run();
  }

  /** What the window has taken of the shared heap, to be kept until all members have closed it. */
  public MemorySegment[] taken() {
    return made.allocation() == null ? new MemorySegment[] {made.block()}
        : new MemorySegment[] {made.block(), made.allocation()};
  }

  /** All members have closed it, or are gone: nothing comes for it any more. */
  public void end() {
    leaves.run();
  }

  // What comes for it, inside the gate

  Payload begin(int source, long[] header, long length) {
    return isReply(header) ? messages.answered(source, header) : service.begin(source, header, length);
  }

  void finished(int source, long[] header, Payload memory) {
    if (isReply(header)) {
      messages.finished(source, header, null);
    } else {
      service.finished(source, header);
    }
  }

  void failed(int source, long[] header, RuntimeException cause) {
    if (isReply(header)) {
      messages.finished(source, header, cause);
    }
  }

  private static boolean isReply(long... header) {
    return header[WindowMessages.WHAT] >>> Integer.SIZE == WindowMessages.Call.REPLY.ordinal();
  }
}
