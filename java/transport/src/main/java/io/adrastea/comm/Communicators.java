package io.adrastea.comm;

import io.adrastea.core.SlotMember;
import io.adrastea.engine.collective.Call;
import io.adrastea.engine.collective.Collectives;
import io.adrastea.engine.collective.Form;
import io.adrastea.engine.group.Numbering;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.CollectiveException;
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.error.RankFailedException;
import io.adrastea.payload.Contiguous;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Makes communicators of this rank out of those that it has. Their members agree on a number and a slot in shared
 * memory: rank 0 of the new communicator, in a subset the lowest of the parent's ranks, takes both and tells the
 * others.
 */
public final class Communicators {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private Communicators() {}

  /** Makes a communicator with the same ranks in the same order. */
  public static CommunicatorState dup(CommunicatorState parent) {
    Collectives collectives = parent.forNew("dup");
    CommunicatorMaking making = new CommunicatorMaking(parent, parent.numbering(), 0, true);
    try {
      MemorySegment words = making.words();
      MemorySegment told = told(parent, words);
      tell(collectives, Form.BLOCKING, words, told);
      return making.open(told, 0);
    } catch (RuntimeException | Error e) {
      making.withdraw();
      throw e;
    }
  }

  /** Where this rank hears of a duplicate what rank 0 tells: its own words; or, by messages, those of all ranks. */
  private static MemorySegment told(CommunicatorState parent, MemorySegment words) {
    return parent.slot() == null
        ? MemorySegment.ofArray(new byte[parent.size() * CommunicatorMaking.BYTES])
        : words;
  }

  /**
   * Tells of a duplicate. By messages rank 0 hears of all, too: in a bcast it could make so many, one after the other,
   * that it takes all numbers before the others have come to the first.
   */
  private static Call tell(Collectives collectives, Form form, MemorySegment words, MemorySegment told) {
    Contiguous own = new Contiguous(words, 0, CommunicatorMaking.BYTES);
    return words == told
        ? collectives.bcast(form, own, 0, SlotMember.FOR_DUP)
        : collectives.allgather(
            form, own, new Contiguous(told, 0, told.byteSize()), CommunicatorMaking.BYTES, SlotMember.FOR_DUP);
  }

  /**
   * A communicator whose making was started.
   *
   * @param call by which its rank 0 tells all of it; null: it has ended
   * @param made makes it, once that has ended
   * @param givenUp gives the making up
   */
  public record Started(Call call, Supplier<CommunicatorState> made, Runnable givenUp) {}

  /** Starts what {@link #dup} does. */
  public static Started startDup(CommunicatorState parent) {
    Collectives collectives = parent.forNew("idup");
    CommunicatorMaking making = new CommunicatorMaking(parent, parent.numbering(), 0, true);
    MemorySegment words = making.words();
    MemorySegment told = told(parent, words);
    try {
      Call call = tell(collectives, Form.STARTED, words, told);
      return new Started(call, () -> making.open(told, 0), making::withdraw);
    } catch (RuntimeException | Error e) {
      making.withdraw();
      throw e;
    }
  }

  /** Refuses a tag by which ranks cannot find each other to make a communicator. */
  public static void requireTag(int tag) {
    if (tag < 0 || tag > InternalMessages.MAX_TAG) {
      throw new ArgumentException(Reason.TAG, "tag %d; allowed are 0 to %d".formatted(tag, InternalMessages.MAX_TAG));
    }
  }

  /**
   * Makes a communicator of some ranks of a parent, which call this, and no others. The lowest of them makes it,
   * whatever their order: so ranks that name the same in another order have the same maker, which tells each that it
   * differs, and one waits for lower ones alone: they never wait for each other.
   */
  public static CommunicatorState subset(CommunicatorState parent, int tag, Numbering some) {
    int[] ranks = some.jobRanks().map(parent.numbering()::rankOf).toArray();
    if (!some.contains(parent.jobRank(parent.rank()))) {
      throw new ArgumentException(Reason.GROUP,
          "rank %d is not among the ranks %s of the subset; those alone call this that are"
              .formatted(parent.rank(), Arrays.toString(ranks)));
    }
    parent.requireAble(some, "subset");
    parent.requireMakes("subset");
    int maker = IntStream.of(ranks).min().getAsInt();
    CommunicatorMaking making = new CommunicatorMaking(parent, some, some.rankOf(parent.jobRank(maker)), false);
    try {
      MemorySegment words = making.words();
      MemorySegment told = MemorySegment.ofArray(new byte[CommunicatorMaking.BYTES + Integer.BYTES]);
      told.copyFrom(words);
      told.set(INT, CommunicatorMaking.BYTES, Arrays.hashCode(ranks));
      if (parent.rank() != maker) {
        hear(parent, maker, tag, told);
        requireSame(parent, making, told, maker, ranks);
      } else {
        tell(parent, tag, told, making, ranks);
      }
      return making.open(told, 0);
    } catch (RuntimeException | Error e) {
      making.withdraw();
      throw e;
    }
  }

  /**
   * Waits for what the maker of a subset tells. A rank that gives up says so, since it is told later all the same; but
   * not where the maker is gone, without which there is no subset, nor where it has not begun to wait.
   */
  private static void hear(CommunicatorState parent, int maker, int tag, MemorySegment told) {
    try {
      parent.inner().hear(maker, tag, told);
    } catch (RankFailedException | ConcurrentUseException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      parent.decline(e);
      throw e;
    }
  }

  /**
   * The maker tells all others of a subset. When one of them cannot be told, those that remain learn that there is
   * none.
   */
  private static void tell(
      CommunicatorState parent, int tag, MemorySegment told, CommunicatorMaking making, int... ranks) {
    boolean made = CommunicatorMaking.isMade(told, 0);
    int id = (int) told.get(LONG, 0);
    RuntimeException failure = null;
    for (int other : ranks) {
      try {
        if (other != parent.rank()) {
          parent.inner().tell(other, tag, told);
        }
      } catch (RuntimeException e) {
        failure = failure == null ? e : failure;
        making.withdraw();
        told.set(LONG, 0, CommunicatorMaking.NONE);
      }
      if (failure != null && made) {
        parent.localRanks().isOut(id, parent.jobRank(other));
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Refuses what another list of ranks was told with, and stays out of what that makes, so that nobody waits for it.
   */
  private static void requireSame(
      CommunicatorState parent, CommunicatorMaking making, MemorySegment told, int maker, int... ranks) {
    if (told.get(INT, CommunicatorMaking.BYTES) == Arrays.hashCode(ranks)) {
      return;
    }
    int lowest = parent.jobRank(maker);
    making.stayOut(told, 0);
    throw new CollectiveException(
        maker,
        lowest,
        "subset of rank %d names the ranks %s, and rank %s, the lowest of them, names others; all of them call it with "
            .formatted(parent.rank(), Arrays.toString(ranks), parent.numbering().name(lowest))
            + "the same ranks in the same order");
  }

  /**
   * Makes a communicator of the ranks of the same color, by their keys and then in their old order; null without a
   * color.
   *
   * @param collectives of the parent, for new communicators
   */
  public static CommunicatorState split(CommunicatorState parent, Collectives collectives, int color, int key) {
    return split(parent, collectives, color, key, 0);
  }

  /**
   * Makes a communicator of the ranks of the same color, in which the ranks of the parent below {@code first} come
   * before the others, by their keys among themselves.
   */
  public static CommunicatorState split(
      CommunicatorState parent, Collectives collectives, int color, int key, int first) {
    boolean joins = color != LocalRanks.NO_COLOR;
    if (color < 0 && joins) {
      throw new ArgumentException(Reason.COLOR,
          "color %d; allowed are 0 to %d, and NO_COLOR (-1)".formatted(color, Integer.MAX_VALUE));
    }
    MemorySegment own = MemorySegment.ofArray(new byte[Long.BYTES]);
    own.set(INT, 0, color);
    own.set(INT, Integer.BYTES, key);
    MemorySegment colors = MemorySegment.ofArray(new byte[parent.size() * Long.BYTES]);
    collectives.allgather(
        Form.BLOCKING, new Contiguous(own, 0, Long.BYTES), new Contiguous(colors, 0, colors.byteSize()), Long.BYTES,
        SlotMember.FOR_SPLIT);
    int[] ranks = joins ? ranksOf(color, colors, first) : new int[] {parent.rank()};
    Numbering numbering =
        Numbering.of(parent.numbering().jobSize(), IntStream.of(ranks).map(parent::jobRank).toArray());
    CommunicatorMaking making =
        new CommunicatorMaking(parent, numbering, 0, true);
    try {
      MemorySegment words = joins ? making.words() : MemorySegment.ofArray(new byte[CommunicatorMaking.BYTES]);
      MemorySegment all = MemorySegment.ofArray(new byte[parent.size() * CommunicatorMaking.BYTES]);
      collectives.allgather(
          Form.BLOCKING, new Contiguous(words, 0, CommunicatorMaking.BYTES), new Contiguous(all, 0, all.byteSize()),
          CommunicatorMaking.BYTES, SlotMember.FOR_SPLIT);
      return joins ? making.open(all, (long) ranks[0] * CommunicatorMaking.BYTES) : null;
    } catch (RuntimeException | Error e) {
      making.withdraw();
      throw e;
    }
  }

  private static int[] ranksOf(int color, MemorySegment colors, int first) {
    return IntStream.range(0, (int) (colors.byteSize() / Long.BYTES))
        .filter(rank -> colors.get(INT, (long) rank * Long.BYTES) == color)
        .boxed()
        .sorted(Comparator.<Integer, Boolean>comparing(rank -> rank >= first)
            .thenComparing(rank -> colors.get(INT, (long) rank * Long.BYTES + Integer.BYTES)))
        .mapToInt(Integer::intValue)
        .toArray();
  }
}
