package io.adrastea.coll;

import static io.adrastea.layout.SlotDescriptor.CHECKED;
import static io.adrastea.layout.SlotLineDescriptor.PAYLOAD;

import io.adrastea.core.SlotMember;

/**
 * Which way a collective takes: one function of what all members know, so that all take the same. Twin of
 * {@code coll/adr_coll_choice.h}; {@code tests/coll/choices.golden} has what both choose.
 */
public final class Choice {
  /** Every member posts a line, and every member reads all lines. */
  public static final int LINES_ALL = 1;

  /** Every member posts a line; the lowest reads all, and the others read what it has made of them. */
  public static final int LINES_ROOT = 2;

  /** The root posts a line, and the others read that one. */
  public static final int LINES_BCAST = 3;

  /** Through the members' cells, in rounds; of an allreduce each member combines a part. */
  public static final int CELLS = 4;

  /** As many lines as a member reads while it would wait for the lowest to have read as many. */
  private static final int MOST_LINES = 16;

  private Choice() {}

  /**
   * The way of a collective.
   *
   * @param kind of {@link SlotMember}
   * @param ranks members
   * @param bytes of each member's part
   * @param choices of the slot
   */
  public static int of(int kind, int ranks, long bytes, int choices) {
    if (bytes > PAYLOAD) {
      return CELLS;
    }
    if (kind == SlotMember.BCAST) {
      return (choices & CHECKED) != 0 ? LINES_ALL : LINES_BCAST;
    }
    boolean checked = (choices & CHECKED) != 0;
    return kind == SlotMember.ALLGATHER || ranks <= MOST_LINES || checked ? LINES_ALL : LINES_ROOT;
  }

  /** The way in words. */
  public static String name(int way) {
    return switch (way) {
      case LINES_ALL -> "lines of all";
      case LINES_ROOT -> "lines by the lowest";
      case LINES_BCAST -> "line of the root";
      case CELLS -> "cells";
      default -> throw new IllegalArgumentException("no way of a collective has the number " + way);
    };
  }
}
