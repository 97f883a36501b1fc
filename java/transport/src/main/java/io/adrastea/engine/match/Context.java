package io.adrastea.engine.match;

import io.adrastea.engine.group.Members;

/**
 * What keeps the messages of communicators apart: a number in their match words, and lists of its own for what waits to
 * be matched. A communicator has two, one for messages and an internal one; an intercommunicator has a third one, for
 * the messages between its groups.
 *
 * <p>
 * The upper 32 bits of a match word are the number: 1 bit for what goes between the groups of an intercommunicator, 1
 * for what is internal, 16 for the number of the communicator, 14 for the generation of that number, which is used
 * again when its communicator has ended. All ones are control messages: nothing internal goes between groups. The lower
 * 32 bits hold the tag, of 31 bits.
 */
public final class Context {
  /** How many communicators there can be at a time. */
  public static final int NUMBERS = 1 << 16;

  /** After how many communicators of one number the first generation comes again. */
  public static final int GENERATIONS = 1 << 14;

  /** The number of control messages, which are of no context. */
  public static final int CONTROL = -1;

  private static final int BETWEEN = 1 << 31;
  private static final int INTERNAL = 1 << 30;
  private static final int GENERATION_BITS = 14;
  private static final long TAG_BITS = 0x7FFF_FFFFL;
  private static final long ANY_TAG_MASK = 0xFFFF_FFFF_8000_0000L;
  private static final long EXACT_MASK = -1L;

  private final int number;
  private final long word; // of a message with tag 0
  private final Matching matching;
  private Members members; // null: messages have come before it was made here
  private boolean ended;
  private int probes; // threads that wait for a message without a receive
  int index; // among those that have not ended, see Contexts

  Context(int number, UnexpectedMessage.Pool spent) {
    this.number = number;
    this.word = (long) number << 32;
    this.matching = new Matching(spent);
  }

  /** The id of a communicator: its number and the generation of that. */
  public static int id(int communicator, int generation) {
    return communicator << GENERATION_BITS | generation;
  }

  /** The number in the id of a communicator. */
  public static int communicator(int id) {
    return id >>> GENERATION_BITS;
  }

  /** The number of one of the two contexts of a communicator. */
  public static int number(int id, boolean internal) {
    return (internal ? INTERNAL : 0) | id;
  }

  /** The number of the context of the messages between the groups of an intercommunicator, whose ranks have that id. */
  public static int between(int id) {
    return BETWEEN | id;
  }

  /** The number in a match word. */
  public static int number(long match) {
    return (int) (match >>> 32);
  }

  static int generation(int number) {
    return number & GENERATIONS - 1;
  }

  /** A small number that contexts share which differ in their generation alone. */
  static int slot(int number) {
    int withoutGeneration = number >>> GENERATION_BITS;
    return (withoutGeneration & NUMBERS - 1) << 2 | withoutGeneration >>> 16; // the upper two bits are rarely set
  }

  public int number() {
    return number;
  }

  /** The match word of a message with that tag, or of a receive that asks for it; below zero: any. */
  public long match(int tag) {
    return word | tag & TAG_BITS;
  }

  /** The bits of the match word that matter to a receive that asks for that tag. */
  public static long mask(int tag) {
    return tag < 0 ? ANY_TAG_MASK : EXACT_MASK;
  }

  /** The receives and messages of this context that wait for each other. */
  public Matching matching() {
    return matching;
  }

  /** The members of its communicator; null: this rank has not made it yet. */
  public Members members() {
    return members;
  }

  void begin(Members members) {
    this.members = members;
  }

  /** A thread begins to wait for a message without a receive. */
  public void beginProbe() {
    probes++;
  }

  /** Such a wait is over. */
  public void endProbe() {
    probes--;
  }

  /** Refuses to end it while a thread waits for a message without a receive. */
  public void requireUnprobed() {
    if (probes > 0) {
      throw new IllegalStateException(
          "%d threads are in a probe; they are to come back before the communicator is closed".formatted(probes));
    }
  }

  /** Whether neither a receive nor a probe waits here for a message. */
  public boolean isIdle() {
    return probes == 0 && matching.firstPosted() == null;
  }

  boolean isEnded() {
    return ended;
  }

  void end() {
    ended = true;
  }
}
