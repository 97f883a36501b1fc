package io.adrastea.engine.collective;

import io.adrastea.coll.ElementKind;
import io.adrastea.coll.Operation;
import io.adrastea.core.SlotMember;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import java.lang.foreign.MemorySegment;

/**
 * One collective as one rank takes part in it: which one, with what memory, and how far it is. Mutable and reused, so
 * that no call makes an object. Contiguous memory goes to the core as it is; what is scattered is packed and unpacked
 * between the core's steps.
 */
final class Call {
  private final Cursor inCursor = new Cursor();
  private final Cursor outCursor = new Cursor();
  private int kind;
  private int root;
  private long bytes;
  private int element;
  private int operation;
  private MemorySegment in; // null: there is none, or a payload
  private long inOffset;
  private MemorySegment out; // likewise
  private long outOffset;
  private Payload inPayload; // null: contiguous
  private Payload outPayload; // null: contiguous
  private Folding folding; // of the program's own operation; null: the core combines
  private boolean ended;
  private boolean moved; // the last look did something

  /** What is to be done, and with what operation of the program's own; null: it is one that the core knows. */
  void describe(int kind, int root, long bytes, int element, int operation, Folding folding) {
    this.kind = kind;
    this.root = root;
    this.bytes = bytes;
    this.element = element;
    this.operation = operation;
    this.folding = folding;
    this.ended = false;
    this.moved = false;
  }

  /** Where the input lies: in memory from an offset on or, when that is not null, in a payload. */
  void input(MemorySegment memory, long offset, Payload payload) {
    in = memory;
    inOffset = offset;
    inPayload = payload;
    if (payload != null) {
      inCursor.begin(payload.bytes());
    }
  }

  /** Where the output goes, likewise. */
  void output(MemorySegment memory, long offset, Payload payload) {
    out = memory;
    outOffset = offset;
    outPayload = payload;
    if (payload != null) {
      outCursor.begin(payload.bytes());
    }
  }

  /** Goes on; {@code SlotMember}'s answer. */
  int step(SlotMember member, int polls) {
    return member.step(in, inOffset, out, outOffset, polls);
  }

  /** Brings bytes of the input to shared memory. */
  void fill(MemorySegment area, long at, long position, long length) {
    if (inPayload == null) {
      MemorySegment.copy(in, inOffset + position, area, at, length);
    } else {
      inPayload.seek(inCursor, position);
      inPayload.pack(inCursor, area, at, length);
    }
  }

  /** Brings bytes of shared memory to the output. */
  void drain(MemorySegment area, long at, long position, long length) {
    if (outPayload == null) {
      MemorySegment.copy(area, at, out, outOffset + position, length);
    } else {
      outPayload.seek(outCursor, position);
      outPayload.unpack(outCursor, area, at, length);
    }
  }

  /** Combines whole elements in shared memory. */
  void fold(MemorySegment area, long target, long source, long length) {
    folding.fold(area, target, area, source, length);
  }

  int kind() {
    return kind;
  }

  boolean isEnded() {
    return ended;
  }

  void end() {
    ended = true;
  }

  boolean hasMoved() {
    return moved;
  }

  void moved(boolean did) {
    moved = did;
  }

  /** Lets go of the memory of the program. */
  void forget() {
    input(null, 0, null);
    output(null, 0, null);
    folding = null;
  }

  /** The call in words: "bcast of 8 bytes from root 1". */
  @Override
  public String toString() {
    return words(kind, root, bytes, element, operation);
  }

  /** That of another member, as its line tells of it. */
  static String words(long[] told) {
    long head = told[SlotMember.HEAD];
    long what = told[SlotMember.WHAT];
    return words(
        (int) (head >>> 24) & 0xFF, (int) (head >>> 8) & 0xFFFF, what >>> 16, (int) (what >>> 8) & 0xFF,
        (int) what & 0xFF);
  }

  private static String words(int kind, int root, long bytes, int element, int operation) {
    String name = name(kind);
    return switch (kind) {
      case SlotMember.BARRIER -> name;
      case SlotMember.BCAST -> "%s of %d bytes from root %d".formatted(name, bytes, root);
      case SlotMember.ALLREDUCE -> "%s of %d bytes, %s".formatted(name, bytes, operation(element, operation, root));
      default -> "%s of %d bytes".formatted(name, bytes);
    };
  }

  private static String operation(int element, int operation, int elementBytes) {
    ElementKind kind = ElementKind.of(element);
    Operation known = Operation.of(operation);
    return known != null ? "%s of elements of type %s".formatted(known, kind)
        : "an operation of its own on elements of %d bytes".formatted(elementBytes);
  }

  static String name(int kind) {
    return switch (kind) {
      case SlotMember.BARRIER -> "barrier";
      case SlotMember.BCAST -> "bcast";
      case SlotMember.ALLREDUCE -> "allreduce";
      case SlotMember.ALLGATHER -> "allgather";
      default -> "collective of kind %d".formatted(kind);
    };
  }
}
