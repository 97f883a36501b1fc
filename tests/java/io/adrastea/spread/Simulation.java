package io.adrastea.spread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Runs the schedules of all members, in orders of chance. A message is sent and received at any time while its round is
 * under way, so a schedule in which a round writes what it sends gives wrong results in some order. With {@code waits}
 * a message moves only when both members have come to it, as a large one does.
 *
 * <p>
 * It counts messages and bytes, and steps: a member sends one message after the other, each of which is there one step
 * later.
 */
final class Simulation {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private final Schedule[] schedules;
  private final MemorySegment[][] buffers; // of each member by the numbers of the schedule
  private final Operation operation;
  private final Random random;
  private final boolean waits;
  private final Map<Long, Deque<byte[]>> sent = new HashMap<>();
  private final Map<Long, Deque<Integer>> arrivals = new HashMap<>();
  private final int[] rounds;
  private final boolean[][] done; // of each message of the member's round
  private final int[] begun; // the step at which the round began
  private final int[] ends; // the latest step of what was received and sent in it
  private int over;

  /** Most of any member. */
  int mostMessages;

  long mostSent;
  long mostReceived;
  int mostRounds;

  /** Messages of all members together. */
  long messages;

  long bytes;

  /** Of streams, as they were sent; those of a schedule are the most that there can be. */
  long streamBytes;

  /** Until the last member has ended. */
  int steps;

  Simulation(
      Schedule[] schedules, MemorySegment[] inputs, MemorySegment[] outputs, Operation operation, Random random) {
    int size = schedules.length;
    this.schedules = schedules;
    this.operation = operation;
    this.random = random;
    this.waits = random.nextBoolean();
    this.buffers = new MemorySegment[size][];
    this.rounds = new int[size];
    this.done = new boolean[size][];
    this.begun = new int[size];
    this.ends = new int[size];
    for (int rank = 0; rank < size; rank++) {
      byte[] scratch = new byte[Math.toIntExact(schedules[rank].scratchBytes())];
      random.nextBytes(scratch);
      buffers[rank] = new MemorySegment[] {inputs[rank], outputs[rank], MemorySegment.ofArray(scratch)};
      count(rank);
      begin(rank);
    }
  }

  private void count(int rank) {
    Schedule schedule = schedules[rank];
    int messagesOfThis = 0;
    int roundsOfThis = 0;
    long sentOfThis = 0;
    long receivedOfThis = 0;
    for (int round = 0; round < schedule.rounds(); round++) {
      roundsOfThis += schedule.firstLocal(round) > schedule.firstMessage(round) ? 1 : 0;
      for (int step = schedule.firstMessage(round); step < schedule.firstLocal(round); step++) {
        assertTrue(schedule.peer(step) != rank, "a message to itself");
        if (schedule.kind(step) == Schedule.SEND) {
          messagesOfThis++;
          sentOfThis += schedule.length(step);
        } else {
          assertEquals(Schedule.RECEIVE, schedule.kind(step));
          receivedOfThis += schedule.length(step);
        }
      }
    }
    mostMessages = Math.max(mostMessages, messagesOfThis);
    mostRounds = Math.max(mostRounds, roundsOfThis);
    mostSent = Math.max(mostSent, sentOfThis);
    mostReceived = Math.max(mostReceived, receivedOfThis);
    messages += messagesOfThis;
    bytes += sentOfThis;
  }

  private void begin(int rank) {
    if (rounds[rank] == schedules[rank].rounds()) {
      over++;
      steps = Math.max(steps, begun[rank]);
      return;
    }
    int round = rounds[rank];
    done[rank] = new boolean[schedules[rank].firstLocal(round) - schedules[rank].firstMessage(round)];
    ends[rank] = begun[rank];
  }

  /** Runs to the end, and fails where members wait for each other or a message is left. */
  void run() {
    List<Integer> order = new ArrayList<>(IntStream.range(0, schedules.length).boxed().toList());
    while (over < schedules.length) {
      Collections.shuffle(order, random);
      boolean moved = false;
      for (int rank : order) {
        moved |= rounds[rank] < schedules[rank].rounds() && move(rank);
      }
      assertTrue(moved, "members wait for each other");
    }
    sent.values().forEach(left -> assertEquals(0, left.size(), "messages that nobody receives"));
  }

  /** Moves what can be moved of a member, or a few messages of it. */
  private boolean move(int rank) {
    Schedule schedule = schedules[rank];
    int first = schedule.firstMessage(rounds[rank]);
    int count = done[rank].length;
    int most = random.nextInt(4) == 0 ? 1 : count;
    int begin = count == 0 ? 0 : random.nextInt(count);
    int moved = 0;
    int ended = 0;
    for (int i = 0; i < count; i++) {
      int message = (begin + i) % count;
      if (!done[rank][message] && moved < most && isNext(rank, message) && exchange(rank, first + message)) {
        done[rank][message] = true;
        moved++;
      }
    }
    for (boolean one : done[rank]) {
      ended += one ? 1 : 0;
    }
    if (ended < count) {
      return moved > 0;
    }
    int round = rounds[rank];
    for (int step = schedule.firstLocal(round); step < schedule.end(round); step++) {
      local(rank, step);
    }
    begun[rank] = ends[rank];
    rounds[rank]++;
    begin(rank);
    return true;
  }

  /** Whether no message before it in the round that is not over goes to the same member in the same direction. */
  private boolean isNext(int rank, int message) {
    Schedule schedule = schedules[rank];
    int first = schedule.firstMessage(rounds[rank]);
    for (int before = 0; before < message; before++) {
      if (!done[rank][before] && schedule.peer(first + before) == schedule.peer(first + message)
          && schedule.kind(first + before) == schedule.kind(first + message)) {
        return false;
      }
    }
    return true;
  }

  private long pair(int from, int to) {
    return (long) from << 32 | to;
  }

  private boolean exchange(int rank, int step) {
    Schedule schedule = schedules[rank];
    int peer = schedule.peer(step);
    long length = schedule.length(step);
    if (schedule.kind(step) == Schedule.SEND) {
      if (waits && !isAwaited(peer, rank)) {
        return false;
      }
      byte[] data = sent(rank, step).toArray(ValueLayout.JAVA_BYTE);
      sent.computeIfAbsent(pair(rank, peer), key -> new ArrayDeque<>()).add(data);
      int arrival = begun[rank] + 1;
      for (int before = schedule.firstMessage(rounds[rank]); before < step; before++) {
        arrival += schedule.kind(before) == Schedule.SEND ? 1 : 0;
      }
      arrivals.computeIfAbsent(pair(rank, peer), key -> new ArrayDeque<>()).add(arrival);
      ends[rank] = Math.max(ends[rank], arrival);
      return true;
    }
    Deque<byte[]> from = sent.get(pair(peer, rank));
    if (from == null || from.isEmpty()) {
      return false;
    }
    byte[] data = from.remove();
    receive(rank, step, data);
    ends[rank] = Math.max(ends[rank], arrivals.get(pair(peer, rank)).remove());
    return true;
  }

  /** Whether a member's round has more receives of another one that are not over than there are messages sent. */
  private boolean isAwaited(int rank, int peer) {
    Schedule schedule = schedules[rank];
    if (rounds[rank] == schedule.rounds()) {
      return false;
    }
    int first = schedule.firstMessage(rounds[rank]);
    int awaited = 0;
    for (int message = 0; message < done[rank].length; message++) {
      boolean receives = schedule.kind(first + message) == Schedule.RECEIVE && schedule.peer(first + message) == peer;
      awaited += receives && !done[rank][message] ? 1 : 0;
    }
    Deque<byte[]> under = sent.get(pair(peer, rank));
    return awaited > (under == null ? 0 : under.size());
  }

  /** What a message has; the bytes of streams are counted as they are sent. */
  private MemorySegment sent(int rank, int step) {
    Schedule schedule = schedules[rank];
    long at = schedule.fromOffset(step);
    if (schedule.from(step) != Schedule.STREAM) {
      return stretch(rank, schedule.from(step), at, schedule.length(step));
    }
    long length = BlockStream.bytes(buffers[rank][Schedule.SCRATCH], at);
    streamBytes += length;
    return stretch(rank, Schedule.SCRATCH, at + BlockStream.HEADER, length);
  }

  private void receive(int rank, int step, byte[] data) {
    Schedule schedule = schedules[rank];
    long at = schedule.toOffset(step);
    if (schedule.to(step) == Schedule.STREAM) {
      assertTrue(data.length <= schedule.length(step), "a stream that is too long");
      BlockStream.received(buffers[rank][Schedule.SCRATCH], at, data.length);
      at += BlockStream.HEADER;
    } else {
      assertEquals(schedule.length(step), data.length, "a message of another length");
    }
    stretch(rank, schedule.to(step), at, data.length).copyFrom(MemorySegment.ofArray(data));
  }

  private MemorySegment stretch(int rank, int buffer, long offset, long length) {
    return buffers[rank][buffer == Schedule.STREAM ? Schedule.SCRATCH : buffer].asSlice(offset, length);
  }

  private void onStream(int rank, int step) {
    Schedule schedule = schedules[rank];
    long length = schedule.length(step);
    MemorySegment from = buffers[rank][schedule.from(step)];
    long fromAt = schedule.fromOffset(step);
    MemorySegment to = buffers[rank][schedule.to(step)];
    long toAt = schedule.toOffset(step);
    switch (schedule.kind(step)) {
      case Schedule.BEGIN -> BlockStream.clear(to, toAt);
      case Schedule.PUT -> BlockStream.put(to, toAt, from, fromAt, length);
      case Schedule.PUT_LENGTH -> BlockStream.putLength(to, toAt, length);
      case Schedule.PASS -> assertTrue(BlockStream.pass(from, fromAt, toAt, length), "a stream ends too early");
      case Schedule.TAKE -> assertEquals(length, BlockStream.take(from, fromAt, true, to, toAt, length));
      default -> assertEquals(length, BlockStream.take(from, fromAt, false, to, toAt, length));
    }
  }

  private void local(int rank, int step) {
    Schedule schedule = schedules[rank];
    if (schedule.kind(step) >= Schedule.BEGIN) {
      onStream(rank, step);
      return;
    }
    long length = schedule.length(step);
    MemorySegment from = stretch(rank, schedule.from(step), schedule.fromOffset(step), length);
    MemorySegment to = stretch(rank, schedule.to(step), schedule.toOffset(step), length);
    if (schedule.kind(step) == Schedule.COPY) {
      boolean inPlace = from.equals(to);
      assertTrue(inPlace || from.asOverlappingSlice(to).isEmpty(), "a copy over itself");
      to.copyFrom(from);
      return;
    }
    assertTrue(from.asOverlappingSlice(to).isEmpty(), "a combination over itself");
    assertEquals(0, length % Operation.ELEMENT, "a part of an element is combined");
    assertEquals(0, schedule.toOffset(step) % Operation.ELEMENT);
    boolean lower = schedule.kind(step) == Schedule.COMBINE_LEFT;
    for (long at = 0; at < length; at += Operation.ELEMENT) {
      int there = to.get(INT, at);
      int comes = from.get(INT, at);
      to.set(INT, at, lower ? operation.of(comes, there) : operation.of(there, comes));
    }
  }
}
