package io.adrastea.engine.window;

import io.adrastea.engine.active.ActiveHandler;
import io.adrastea.engine.active.ActiveMessages;
import io.adrastea.engine.collective.Collectives;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.resources.Resources;
import io.adrastea.payload.Payload;
import io.adrastea.space.Exposed;
import io.adrastea.wait.Waits;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** A window of one rank: its memory and that of all members as it reaches it, its epochs, its calls and its end. */
public final class WindowState {
  private final WindowMaking.Made made;
  private final Epochs epochs;
  private final WindowCalls calls;
  private final WindowMessages messages;
  private final WindowService service;
  private final Stretches stretches; // null: its memory was named when it was made
  private final Attachments attachments;
  private final Members members;
  private final Runnable endsThread; // which the window wanted
  private final Runnable leaves;
  private boolean closed;

  WindowState(Resources resources, Waits waits, ActiveMessages active, Collectives collectives, Members members,
      int rank, int number, WindowMaking.Made made, Windows windows, Runnable endsThread,
      Runnable leaves) {
    this.made = made;
    this.endsThread = endsThread;
    this.leaves = leaves;
    this.members = members;
    boolean asks = asks(made.exposed());
    this.messages = windows.messages(members, number, asks);
    this.attachments = new Attachments(resources.spaces(), members, asks, made.exposed());
    this.stretches =
        made.heads() == null ? null : new Stretches(resources, members, rank, attachments, made.heads());
    this.epochs = new Epochs(resources, waits, collectives, members, rank, made.exposed(), stretches, messages,
        attachments, made.blocks());
    WindowAtomics atomics = new WindowAtomics(resources, members, rank, made.blocks());
    this.calls = new WindowCalls(resources, members, made.exposed(), stretches, messages, attachments, atomics);
    this.service = new WindowService(resources, active, members, number, rank, made.exposed().part(rank), stretches,
        atomics);
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

  /** Whether memory is attached to it. */
  public boolean isDynamic() {
    return stretches != null;
  }

  /** How this rank reaches a place in a member's memory. */
  public Exposed.Way way(int member, long displacement) {
    return stretches == null ? made.exposed().part(member).way()
        : stretches.find("way", member, displacement, displacement, displacement).way();
  }

  /** Opens memory of the program to the others. */
  public void attach(MemorySegment memory) {
    stretches.attach(memory);
  }

  /** Ends the use of memory that was attached; refuses that inside of an epoch. */
  public void detach(MemorySegment memory) {
    epochs.requireNone("detach of %d bytes at displacement %d".formatted(memory.byteSize(), memory.address()), true);
    stretches.detach(memory);
  }

  public boolean isOpen() {
    return !closed;
  }

  /**
   * Ends the window for this rank, which waits for what this rank has asked others for, but for nobody to close it,
   * too. Others may use its memory until then, and this rank does what they ask for.
   */
  public void close() {
    epochs.requireNone("close", false);
    messages.awaitAll();
    closed = true;
    epochs.close();
    attachments.close();
    endsThread.run();
  }

  /** What the window has taken of the shared heap, to be kept until all members have closed it. */
  public MemorySegment[] taken() {
    List<MemorySegment> taken = new ArrayList<>();
    taken.add(made.block());
    if (made.allocation() != null) {
      taken.add(made.allocation());
    }
    if (stretches != null) {
      taken.addAll(stretches.taken());
    }
    return taken.toArray(MemorySegment[]::new);
  }

  /** All members have closed it, or are gone: nothing comes for it any more. */
  public void end() {
    leaves.run();
  }

  // What comes for it, inside the gate

  Payload begin(int source, long[] header, long length) {
    if (isReply(header)) {
      return WindowService.refusal(header) == WindowService.NO_REFUSAL ? messages.answered(source, header)
          : ActiveHandler.NO_MEMORY;
    }
    return service.begin(source, header, length);
  }

  void finished(int source, long[] header, Payload memory) {
    if (!isReply(header)) {
      service.finished(source, header);
      return;
    }
    RuntimeException refused = refused(source, header);
    boolean isOfFlush = WindowService.refusal(header) == WindowService.REFUSED_BEFORE;
    if (isOfFlush) {
      attachments.tell(refused);
    }
    messages.finished(source, header, isOfFlush ? null : refused);
  }

  /** What the program is told where a member has not done what it was asked for; null: it has. */
  private RuntimeException refused(int source, long... header) {
    return WindowService.refusal(header) == WindowService.NO_REFUSAL ? null : new IndexOutOfBoundsException(
        ("rank %s has refused an access to its memory at byte %d in %s: it has detached that memory meanwhile, or "
            + "elements of 1 or 2 bytes lie at an edge of it, where the 4 bytes around them are not all in it")
            .formatted(members.name(source), header[WindowMessages.AT], members.label()));
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
