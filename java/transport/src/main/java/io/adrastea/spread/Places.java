package io.adrastea.spread;

/**
 * Members in a circle, each with a part of the data, who move these parts in as few rounds as there are binary digits
 * of their number, or from neighbour to neighbour. One member of the communicator may stand outside. The parts are
 * those of the schedule.
 *
 * <p>
 * A part goes the same way to all members as it comes from all where it is combined, in the other direction: so each is
 * sent once to each member that lacks it, and no byte travels twice. Stretches of parts that go over the end of the
 * data take two messages.
 */
final class Places {
  /** Nobody stands outside. */
  static final int ALL = Integer.MAX_VALUE;

  private Places() {}

  /** The member at a place, with another one outside. */
  static int member(int place, int outside) {
    return place < outside ? place : place + 1;
  }

  /** The place of a member, with another one outside. */
  static int of(int rank, int outside) {
    return rank < outside ? rank : rank - 1;
  }

  /**
   * Combines, so that each member has the part of its place: in rounds over half the distance each, from more than half
   * of all on. A member sends on what it has of the parts of those at that distance or farther. Each part is combined
   * by a tree of its own, in no order of ranks: operators have to commute.
   *
   * @param target where the parts are combined, which the input may lie in
   * @param targetOffset of the first part
   * @return the buffer in which the member's part is then: the input, at the part's place in it, where there is nobody
   *   else
   */
  static int combine(Schedule schedule, int place, int outside, int target, long targetOffset) {
    Parts parts = schedule.parts;
    int count = parts.count();
    if (count == 1) {
      return Schedule.INPUT;
    }
    int farthest = Integer.highestOneBit(count - 1);
    long other = schedule.scratch(parts.most(Math.max(count - farthest, farthest / 2)));
    for (int distance = farthest; distance > 0; distance /= 2) {
      int moved = Math.min(distance, count - distance);
      boolean begins = distance == farthest;
      int ahead = (place + distance) % count;
      int behind = Math.floorMod(place - distance, count);
      schedule.nextRound();
      send(schedule, member(ahead, outside), ahead, moved, begins ? Schedule.INPUT : target, begins ? 0 : targetOffset);
      receive(schedule, member(behind, outside), place, moved, other);
      if (begins) {
        keep(schedule, place, distance, target, targetOffset);
      }
      fold(schedule, behind < place, place, moved, other, target, targetOffset);
    }
    return target;
  }

  /** Tells all parts to all, where each has that of its place in the output: over twice the distance in each round. */
  static void tell(Schedule schedule, int place, int outside) {
    int count = schedule.parts.count();
    for (int distance = 1; distance < count; distance *= 2) {
      int moved = Math.min(distance, count - distance);
      int ahead = (place + distance) % count;
      int behind = Math.floorMod(place - distance, count);
      schedule.nextRound();
      send(schedule, member(behind, outside), place, moved, Schedule.OUTPUT, 0);
      receiveOutput(schedule, member(ahead, outside), ahead, moved);
    }
  }

  /** Sends parts from one on around. */
  private static void send(Schedule schedule, int peer, int part, int moved, int from, long offset) {
    Parts parts = schedule.parts;
    int end = Math.min(parts.count(), part + moved);
    schedule.send(peer, from, offset + parts.first(part), parts.between(part, end));
    schedule.send(peer, from, offset, parts.between(0, part + moved - end));
  }

  /** Receives parts from one on around, one behind the other in scratch memory. */
  private static void receive(Schedule schedule, int peer, int part, int moved, long other) {
    Parts parts = schedule.parts;
    int end = Math.min(parts.count(), part + moved);
    long before = parts.between(part, end);
    schedule.receive(peer, Schedule.SCRATCH, other, before);
    schedule.receive(peer, Schedule.SCRATCH, other + before, parts.between(0, part + moved - end));
  }

  private static void receiveOutput(Schedule schedule, int peer, int part, int moved) {
    Parts parts = schedule.parts;
    int end = Math.min(parts.count(), part + moved);
    schedule.receive(peer, Schedule.OUTPUT, parts.first(part), parts.between(part, end));
    schedule.receive(peer, Schedule.OUTPUT, 0, parts.between(0, part + moved - end));
  }

  private static void keep(Schedule schedule, int part, int kept, int to, long offset) {
    Parts parts = schedule.parts;
    int end = Math.min(parts.count(), part + kept);
    long first = parts.first(part);
    schedule.copy(Schedule.INPUT, first, to, offset + first, parts.between(part, end));
    schedule.copy(Schedule.INPUT, 0, to, offset, parts.between(0, part + kept - end));
  }

  private static void fold(
      Schedule schedule, boolean lower, int part, int moved, long other, int to, long offset) {
    Parts parts = schedule.parts;
    int end = Math.min(parts.count(), part + moved);
    long before = parts.between(part, end);
    schedule.combine(lower, Schedule.SCRATCH, other, to, offset + parts.first(part), before);
    schedule.combine(
        lower, Schedule.SCRATCH, other + before, to, offset, parts.between(0, part + moved - end));
  }

  /** Combines as {@link #combine} does, each part from member to member around; needs operators that commute, too. */
  static void combineAround(Schedule schedule, int place, int target, long targetOffset) {
    Parts parts = schedule.parts;
    int count = parts.count();
    long other = schedule.scratch(parts.most(1));
    for (int step = 1; step < count; step++) {
      int sent = Math.floorMod(place - step, count);
      int taken = Math.floorMod(place - step - 1, count);
      schedule.nextRound();
      schedule.send(
          (place + 1) % count, step == 1 ? Schedule.INPUT : target,
          (step == 1 ? 0 : targetOffset) + parts.first(sent), parts.length(sent));
      schedule.receive(Math.floorMod(place - 1, count), Schedule.SCRATCH, other, parts.length(taken));
      long at = targetOffset + parts.first(taken);
      schedule.copy(Schedule.INPUT, parts.first(taken), target, at, parts.length(taken));
      schedule.combine(true, Schedule.SCRATCH, other, target, at, parts.length(taken));
    }
  }

  /** Tells all parts to all, from member to member around. */
  static void tellAround(Schedule schedule, int place) {
    Parts parts = schedule.parts;
    int count = parts.count();
    for (int step = 0; step < count - 1; step++) {
      int sent = Math.floorMod(place - step, count);
      int taken = Math.floorMod(place - step - 1, count);
      schedule.nextRound();
      schedule.send((place + 1) % count, Schedule.OUTPUT, parts.first(sent), parts.length(sent));
      schedule.receive(
          Math.floorMod(place - 1, count), Schedule.OUTPUT, parts.first(taken), parts.length(taken));
    }
  }
}
