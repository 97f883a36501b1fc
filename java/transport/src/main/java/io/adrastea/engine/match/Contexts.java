package io.adrastea.engine.match;

import io.adrastea.engine.group.Members;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The contexts of a rank, found by the number in a match word: an array by number, which holds the latest generation
 * that this rank has made.
 *
 * <p>
 * Ranks make a communicator one after the other, so a message may come for a context that this rank has not made yet.
 * It is kept until then, in the lists of a context without members. One for a context that has ended here is dropped,
 * and a large one, for which its sender waits, is refused: this rank has received all that it wanted there, and kept it
 * would take memory for good, and be taken for a message of a later communicator once generations come again. The later
 * one of two generations is fewer than half of all generations ahead of the other.
 */
public final class Contexts {
  private Context[] made = new Context[4]; // by slot: the latest, which may have ended
  private final List<Context> all = new ArrayList<>(); // that have not ended, those that are not made yet too; each at
                                                       // its index
  private final List<Context> early = new ArrayList<>(); // of all, those that are not made yet
  private final UnexpectedMessage.Pool spent;
  private final HeldMessages held;

  public Contexts(boolean checksTypes) {
    this.spent = new UnexpectedMessage.Pool(checksTypes);
    this.held = new HeldMessages(spent);
  }

  /** Messages of any of them that matched probes have taken. */
  public HeldMessages held() {
    return held;
  }

  /**
   * Makes the context of that number for a communicator with these members.
   *
   * @throws IllegalStateException when the number is in use, or was
   */
  public Context open(int number, Members members) {
    requireFree(number);
    Context before = early(number);
    Context context = before == null ? add(number) : before;
    int slot = Context.slot(number);
    if (slot >= made.length) {
      made = Arrays.copyOf(made, Integer.highestOneBit(slot) << 1);
    }
    made[slot] = context;
    early.remove(context);
    context.begin(members);
    return context;
  }

  private void requireFree(int number) {
    Context latest = latest(number);
    if (latest != null && !latest.isEnded()) {
      throw new IllegalStateException(
          "a communicator with this number is open (context %08x); close it first, or take another number"
              .formatted(latest.number()));
    }
    if (latest != null && !isLater(number, latest.number())) {
      throw new IllegalStateException(
          "context %08x is not later than %08x, the last of this number; take the next generation"
              .formatted(number, latest.number()));
    }
  }

  /** Ends a context. What nobody has received of it is dropped before, by the caller. */
  public void close(Context context) {
    context.end();
    if (context.members() == null) {
      early.remove(context);
    }
    Context last = all.removeLast(); // takes the place
    if (last != context) {
      all.set(context.index, last);
      last.index = context.index;
    }
  }

  /** The context of a receive of this rank. */
  public Context of(long match) {
    return made[Context.slot(Context.number(match))];
  }

  /**
   * The context of a message that has come, with memory for keeping the message. Null: it is of none, or of one that
   * has ended.
   */
  public Context reserve(long match) {
    int number = Context.number(match);
    Context context = latest(number);
    if (context == null || context.number() != number) {
      context = number == Context.CONTROL || isPast(number) ? null : notMade(number);
    }
    if (context == null || context.isEnded()) {
      return null;
    }
    spent.reserve();
    return context;
  }

  /** Whether a context was made here and has not ended. */
  public boolean isOpen(int number) {
    Context latest = latest(number);
    return latest != null && latest.number() == number && !latest.isEnded();
  }

  /** Whether a context has ended here, or one of the same number was made that is later. */
  public boolean hasEnded(int number) {
    Context latest = latest(number);
    return latest != null && (latest.number() == number ? latest.isEnded() : isPast(number));
  }

  /** Whether a context that is not the latest of its number was before that. */
  boolean isPast(int number) {
    Context latest = latest(number);
    return latest != null && !isLater(number, latest.number());
  }

  /** Whether the context of that number was made here, and has ended, or another was after it. */
  public boolean isOver(int number) {
    Context latest = latest(number);
    return latest != null && (latest.number() == number ? latest.isEnded() : isPast(number));
  }

  private Context notMade(int number) {
    Context before = early(number);
    if (before != null) {
      return before;
    }
    Context context = add(number);
    early.add(context);
    return context;
  }

  private Context add(int number) {
    Context context = new Context(number, spent);
    context.index = all.size();
    all.add(context);
    return context;
  }

  private Context early(int number) {
    for (int i = 0; i < early.size(); i++) {
      if (early.get(i).number() == number) {
        return early.get(i);
      }
    }
    return null;
  }

  /** A context with messages that came before a later generation of its number was made here; null: there is none. */
  public Context missed() {
    for (int i = 0; i < early.size(); i++) {
      if (isPast(early.get(i).number())) {
        return early.get(i);
      }
    }
    return null;
  }

  private Context latest(int number) {
    int slot = Context.slot(number);
    return slot < made.length ? made[slot] : null;
  }

  private static boolean isLater(int number, int than) {
    int ahead = Context.generation(number) - Context.generation(than) & Context.GENERATIONS - 1;
    return ahead != 0 && ahead < Context.GENERATIONS / 2;
  }

  /** How many there are that have not ended, those with messages that are not made here yet included. */
  public int count() {
    return all.size();
  }

  /** The context at that index. */
  public Context at(int index) {
    return all.get(index);
  }
}
