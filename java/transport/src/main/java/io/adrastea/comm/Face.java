package io.adrastea.comm;

import io.adrastea.engine.operation.Pending;
import java.lang.foreign.MemorySegment;

/**
 * What packages of calls beside the face need to know of its objects, whose inside programs do not see. The face names
 * the one implementation when its first communicator is made, before any such package can have one. Its classes are not
 * known here, so objects of them are handed in as they are.
 */
public abstract class Face {
  private static volatile Face face;

  /** Only the face makes one. */
  protected Face() {}

  /** The face says how it is asked. */
  public static void is(Face asked) {
    face = asked;
  }

  /** How the face is asked; only after a job was made. */
  public static Face get() {
    return face;
  }

  /** The communicator below {@code Communicator}. */
  public abstract CommunicatorState state(Object communicator);

  /** The views of arrays that the ranks of a job's communicators share. */
  public abstract Buffers views(Object communicator);

  /** The inside of {@code Data}, which keeps it. */
  public abstract Placement placement(Object data, Buffers views);

  /** The inside of the datatype of {@code Data}; null: it is bytes. */
  public abstract TypeMap typeOf(Object data);

  /** Whether {@code Data} is not in one stretch of memory. */
  public abstract boolean isScattered(Object data);

  /** The memory that contiguous {@code Data} lies in. */
  public abstract MemorySegment memory(Object data, Buffers views);

  /** Where contiguous {@code Data} begins in that, in bytes. */
  public abstract long offset(Object data);

  /** Bytes of contiguous {@code Data}. */
  public abstract long bytes(Object data);

  /** The inside of a {@code Datatype}. */
  public abstract TypeMap type(Object datatype);

  /** The inside of an {@code Op}. */
  public abstract OperatorMap operator(Object op);

  /** Refuses a {@code Request} that cannot be used for a new operation. */
  public abstract void requireFree(Object request);

  /**
   * Makes a free {@code Request} that of what was started.
   *
   * @param pending null: it has ended
   * @return the request
   */
  public abstract Object begin(Object communicator, Object request, Pending pending);
}
