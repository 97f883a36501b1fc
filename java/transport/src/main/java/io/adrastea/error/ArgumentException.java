package io.adrastea.error;

import java.util.Objects;

/**
 * An argument of a call cannot be: nothing was begun, and the call can be made again with another one. The message says
 * what was wrong, what is allowed and what to do; {@link #reason} tells a program which kind of argument it was, such
 * as a layer that maps refusals to numbers.
 */
public final class ArgumentException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Which kind of argument was refused. */
  private final Reason reason;

  /** Kinds of arguments. */
  public enum Reason {
    /** A rank that there is not: a source, a destination, a leader, a neighbour or a member of a group. */
    RANK,
    /** A tag that is not allowed. */
    TAG,
    /** The root of a collective. */
    ROOT,
    /** A number of elements, bytes or parts: too many, too few, or not as many as another argument has. */
    COUNT,
    /**
     * Memory that cannot be used so: it is read-only, parts of it overlap, or {@code Data.IN_PLACE} stands where it
     * means nothing.
     */
    BUFFER,
    /** A datatype that cannot be made, or that does not fit its memory or the other data of the call. */
    TYPE,
    /** An operator of a reduction that has no meaning for the elements. */
    OP,
    /** Dimensions, coordinates, edges or weights of a topology. */
    TOPOLOGY,
    /** A group or a communicator that is of another job, or does not have this rank. */
    GROUP,
    /** A color that ranks are split by. */
    COLOR,
    /** Requests that one call cannot take, or that cannot be handed in for another operation. */
    REQUEST,
    /** The value of a setting, whether a property, a variable or the builder of a job has it. */
    SETTING,
    /** An argument is null. */
    MISSING,
    /** Some other argument. */
    OTHER;

    /**
     * Tells which kind of argument a call has refused. A few refusals are the JDK's own exceptions:
     * {@link NullPointerException} is {@link #MISSING}, {@link IndexOutOfBoundsException}, of elements that do not lie
     * in their memory, is {@link #COUNT}, and an {@link IllegalArgumentException} that tells no more {@link #OTHER}.
     *
     * @param refusal what a call of this library has thrown
     * @return the kind; null: it was no argument, but the state of something, a failure or another rank
     * @throws NullPointerException when the argument is null
     */
    public static Reason of(RuntimeException refusal) {
      return switch (Objects.requireNonNull(refusal, "the refusal is null")) {
        case ArgumentException e -> e.reason;
        case IllegalArgumentException e -> OTHER;
        case IndexOutOfBoundsException e -> COUNT;
        case NullPointerException e -> MISSING;
        default -> null;
      };
    }
  }

  /**
   * With a message.
   *
   * @param reason which kind of argument was refused
   * @param message what was wrong, what is allowed and what to do
   */
  public ArgumentException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /**
   * With a message and a cause.
   *
   * @param reason which kind of argument was refused
   * @param message what was wrong, what is allowed and what to do
   * @param cause what led to it
   */
  public ArgumentException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** {@return which kind of argument was refused} */
  public Reason reason() {
    return reason;
  }
}
