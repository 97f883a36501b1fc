package io.adrastea.engine.collective;

import io.adrastea.core.SlotMember;
import io.adrastea.spread.Algorithm;
import io.adrastea.spread.AllgatherRounds;
import io.adrastea.spread.AllreduceRounds;
import io.adrastea.spread.AlltoallRounds;
import io.adrastea.spread.BarrierRounds;
import io.adrastea.spread.BcastRounds;
import io.adrastea.spread.ExchangeRounds;
import io.adrastea.spread.GatherRounds;
import io.adrastea.spread.Hierarchy;
import io.adrastea.spread.LinkClass;
import io.adrastea.spread.NodeRounds;
import io.adrastea.spread.ReduceRounds;
import io.adrastea.spread.ReduceScatterRounds;
import io.adrastea.spread.ScanRounds;
import io.adrastea.spread.ScatterRounds;
import io.adrastea.spread.Schedule;
import io.adrastea.spread.Spread;
import io.adrastea.spread.Spread.Kind;
import io.adrastea.spread.Spread.Reach;

/**
 * The schedules of the calls of one member. How they go says {@link Spread}, by what all members know: not by the
 * lengths of the blocks of an exchange, nor by whether these are told in parts.
 */
public final class Plans {
  private final Hierarchy hierarchy;
  private final Spread spread;
  private final NodeRounds nodes;
  private final boolean exact;
  private final boolean inOrder; // members of a node may combine what they have before they meet others
  private final int rank; // in the communicator
  private final int size;
  private ExchangeRounds exchanges; // by way of leaders; null: there were none yet

  /**
   * Makes those of one member.
   *
   * @param hierarchy on which nodes the members are
   * @param link the class of the links between nodes
   * @param exact reductions combine from the left on several nodes, too
   * @param rank this member
   */
  public Plans(Hierarchy hierarchy, LinkClass link, boolean exact, int rank) {
    this.hierarchy = hierarchy;
    this.spread = new Spread(hierarchy, link);
    this.nodes = new NodeRounds(hierarchy, link, rank);
    this.exact = exact;
    this.inOrder = hierarchy.isConsecutive();
    this.rank = rank;
    this.size = hierarchy.size();
  }

  /** A word in which members differ whose schedules do not fit each other. */
  long word() {
    return 2 * Spread.VERSION + (exact ? 1 : 0);
  }

  /** Fills the schedule of a call. */
  void fill(Schedule schedule, Call call) {
    switch (call.kind()) {
      case SlotMember.BARRIER -> fillBarrier(schedule);
      case SlotMember.BCAST -> fillBcast(schedule, call);
      case SlotMember.ALLREDUCE -> fillAllreduce(schedule, call);
      case SlotMember.REDUCE -> fillReduce(schedule, call);
      case SlotMember.SCAN, SlotMember.EXSCAN -> fillScan(schedule, call);
      case SlotMember.REDUCE_SCATTER -> fillReduceScatter(schedule, call);
      case SlotMember.ALLGATHER -> fillAllgather(schedule, call.bytes());
      case SlotMember.ALLGATHERV -> fillAllgatherByParts(schedule, call);
      case SlotMember.GATHER -> fillGather(schedule, call);
      case SlotMember.SCATTER -> fillScatter(schedule, call);
      case SlotMember.ALLTOALL -> fillAlltoall(schedule, call);
      default -> throw new IllegalStateException(call.name());
    }
  }

  /** Whether a reduction may combine otherwise than from the left: the program's own operators need not associate. */
  private boolean hasAnyBrackets(Call call) {
    return call.folding() == null && inOrder && !exact;
  }

  private void fillBarrier(Schedule schedule) {
    if (spread.reach(Kind.BARRIER, 0, true) == Reach.FLAT) {
      BarrierRounds.fill(schedule, rank, size);
    } else {
      nodes.barrier(schedule);
    }
  }

  private void fillBcast(Schedule schedule, Call call) {
    long bytes = call.bytes();
    Reach reach = spread.reach(Kind.BCAST, bytes, true);
    if (reach == Reach.FLAT) {
      BcastRounds.fill(
          schedule, spread.algorithm(Kind.BCAST, bytes, true), call.root(), rank, size, bytes, Spread.SEGMENT);
    } else {
      nodes.bcast(schedule, reach, call.root(), bytes);
    }
  }

  private void fillAllreduce(Schedule schedule, Call call) {
    long bytes = call.bytes();
    boolean any = hasAnyBrackets(call);
    Reach reach = spread.reach(Kind.ALLREDUCE, bytes, any);
    if (reach == Reach.FLAT) {
      AllreduceRounds.fill(
          schedule, spread.algorithm(Kind.ALLREDUCE, bytes, any), rank, size, bytes, call.unit());
    } else {
      nodes.allreduce(schedule, reach, any, bytes, call.unit());
    }
  }

  private void fillReduce(Schedule schedule, Call call) {
    long bytes = call.bytes();
    boolean any = hasAnyBrackets(call);
    Reach reach = spread.reach(Kind.REDUCE, bytes, any);
    if (reach == Reach.FLAT) {
      ReduceRounds.fill(
          schedule, spread.algorithm(Kind.REDUCE, bytes, any), call.root(), rank, size, bytes, call.unit());
    } else {
      nodes.reduce(schedule, reach, any, call.root(), bytes, call.unit());
    }
  }

  private void fillScan(Schedule schedule, Call call) {
    long bytes = call.bytes();
    boolean any = hasAnyBrackets(call);
    boolean exclusive = call.kind() == SlotMember.EXSCAN;
    if (spread.reach(Kind.SCAN, bytes, any) == Reach.FLAT) {
      ScanRounds.fill(
          schedule, spread.algorithm(Kind.SCAN, bytes, any), exclusive, rank, size, bytes,
          Spread.segment(call.unit()));
    } else {
      nodes.scan(schedule, any, exclusive, bytes, call.unit());
    }
  }

  private void fillReduceScatter(Schedule schedule, Call call) {
    boolean any = hasAnyBrackets(call);
    Algorithm algorithm = spread.algorithm(Kind.REDUCE_SCATTER, call.bytes(), any);
    boolean isFlat = spread.reach(Kind.REDUCE_SCATTER, call.bytes(), any) == Reach.FLAT;
    if (call.isByParts()) {
      long[] lengths = call.rows().row(SlotMember.GIVE_BYTES);
      if (isFlat) {
        ReduceScatterRounds.fill(schedule, algorithm, rank, lengths);
      } else {
        nodes.reduceScatter(schedule, lengths, call.unit());
      }
    } else if (isFlat) {
      ReduceScatterRounds.fill(schedule, algorithm, rank, size, call.bytes() / size);
    } else {
      nodes.reduceScatter(schedule, call.bytes() / size, call.unit());
    }
  }

  private void fillAllgather(Schedule schedule, long bytes) {
    Reach reach = spread.reach(Kind.ALLGATHER, bytes, true);
    if (reach == Reach.FLAT) {
      AllgatherRounds.fill(schedule, spread.algorithm(Kind.ALLGATHER, bytes, true), rank, size, bytes);
    } else {
      nodes.allgather(schedule, reach, bytes);
    }
  }

  /** By parts; between groups a member gives its block to those of the other group, each of which may expect none. */
  private void fillAllgatherByParts(Schedule schedule, Call call) {
    PartRows rows = call.rows();
    if (call.element() >= SlotMember.FOR_GROUPS) {
      boolean isFirst = rank < call.root();
      rows.giveToAll(isFirst ? call.root() : 0, isFirst ? size : call.root());
      fillByRows(schedule, rows);
    } else {
      fillAllgather(schedule, rows.row(SlotMember.TAKE_BYTES), rows.row(SlotMember.TAKE_AT));
    }
  }

  private void fillAllgather(Schedule schedule, long[] lengths, long[] offsets) {
    long all = 0;
    for (long length : lengths) {
      all += length;
    }
    if (spread.reach(Kind.ALLGATHER_BY_PARTS, all, true) == Reach.FLAT) {
      AllgatherRounds.fill(
          schedule, spread.algorithm(Kind.ALLGATHER_BY_PARTS, all, true), rank, lengths, offsets);
    } else {
      nodes.allgather(schedule, lengths, offsets);
    }
  }

  private ExchangeRounds exchanges() {
    if (exchanges == null) {
      exchanges = new ExchangeRounds(hierarchy, spread, rank);
    }
    return exchanges;
  }

  private void fillGather(Schedule schedule, Call call) {
    boolean parts = call.isByParts() && rank == call.root();
    long[] lengths = parts ? call.rows().row(SlotMember.TAKE_BYTES) : null;
    long[] offsets = parts ? call.rows().row(SlotMember.TAKE_AT) : null;
    if (spread.longest(Kind.GATHER) >= 0) {
      exchanges().gather(schedule, call.root(), call.bytes(), lengths, offsets);
    } else if (parts) {
      GatherRounds.fill(schedule, rank, lengths, offsets);
    } else {
      GatherRounds.fill(schedule, call.root(), rank, size, call.bytes());
    }
  }

  private void fillScatter(Schedule schedule, Call call) {
    boolean parts = call.isByParts() && rank == call.root();
    long[] lengths = parts ? call.rows().row(SlotMember.GIVE_BYTES) : null;
    long[] offsets = parts ? call.rows().row(SlotMember.GIVE_AT) : null;
    if (spread.longest(Kind.SCATTER) >= 0) {
      exchanges().scatter(schedule, call.root(), call.bytes(), lengths, offsets);
    } else if (parts) {
      ScatterRounds.fill(schedule, rank, lengths, offsets);
    } else {
      ScatterRounds.fill(schedule, call.root(), rank, size, call.bytes());
    }
  }

  /** Most blocks of one with a purpose are empty: neighbours have them, or groups. */
  private void fillAlltoall(Schedule schedule, Call call) {
    boolean byLeaders = call.element() == 0 && spread.longest(Kind.ALLTOALL) >= 0;
    if (!call.isByParts()) {
      if (byLeaders) {
        exchanges().alltoall(schedule, call.bytes());
      } else {
        AlltoallRounds.fill(schedule, rank, size, call.bytes());
      }
    } else if (byLeaders) {
      PartRows rows = call.rows();
      exchanges().alltoall(
          schedule, rows.row(SlotMember.GIVE_BYTES), rows.row(SlotMember.GIVE_AT), rows.row(SlotMember.TAKE_BYTES),
          rows.row(SlotMember.TAKE_AT));
    } else {
      fillByRows(schedule, call.rows());
    }
  }

  private void fillByRows(Schedule schedule, PartRows rows) {
    AlltoallRounds.fill(
        schedule, rank, rows.row(SlotMember.GIVE_BYTES), rows.row(SlotMember.GIVE_AT), rows.row(SlotMember.TAKE_BYTES),
        rows.row(SlotMember.TAKE_AT));
  }
}
