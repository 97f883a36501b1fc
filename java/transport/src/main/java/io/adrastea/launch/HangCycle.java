package io.adrastea.launch;

import static io.adrastea.layout.RankEntryDescriptor.IN_BARRIER;
import static io.adrastea.layout.RankEntryDescriptor.IN_REQUESTS;

import io.adrastea.ranktable.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Ranks that wait for each other, found in what each says that it waits for. */
final class HangCycle {
  private static final int MOST_NAMED = 16;

  private final List<Optional<Waiting>> waits;
  private final List<Integer> there;
  private final int first;
  private final boolean[] seen;
  private final List<Integer> path = new ArrayList<>();

  private HangCycle(List<Optional<Waiting>> waits, List<Integer> there, int first) {
    this.waits = waits;
    this.there = there;
    this.first = first;
    this.seen = new boolean[waits.size()];
  }

  /**
   * Ranks that wait for each other.
   *
   * @param ranks their numbers
   * @param words who waits for whom
   */
  record Found(List<Integer> ranks, String words) {}

  /**
   * Ranks that wait for each other in a circle or, where none do, that all wait; empty: some rank may go on.
   *
   * @param waits of each rank; empty: it has not been waiting for long
   * @param there ranks that take part
   * @param first what the lowest of these ranks is called; the others follow
   */
  static Optional<Found> find(List<Optional<Waiting>> waits, List<Integer> there, int first) {
    return new HangCycle(waits, there, first).find();
  }

  /** What a rank waits for, with the rank called by its number in the job. */
  static String words(Waiting waiting, int first) {
    return (waiting.peer() < 0 ? waiting : waiting.withPeer(first + waiting.peer())).toString();
  }

  private String words(int rank) {
    return words(waits.get(rank).orElseThrow(), first);
  }

  private Optional<Found> find() {
    for (int rank : there) {
      path.clear();
      int begin = follow(rank);
      if (begin >= 0) {
        List<Integer> ranks = List.copyOf(path.subList(path.indexOf(begin), path.size()));
        return Optional.of(new Found(ranks, circle(ranks)));
      }
    }
    boolean all = !there.isEmpty() && there.stream().allMatch(rank -> waits.get(rank).isPresent());
    return all ? Optional.of(new Found(List.copyOf(there), "all ranks wait: " + each())) : Optional.empty();
  }

  /** Goes along who waits for whom, each rank once; the rank that it came to again, -1: none. */
  private int follow(int rank) {
    if (path.contains(rank)) {
      return rank;
    }
    if (seen[rank]) {
      return -1;
    }
    seen[rank] = true;
    path.add(rank);
    for (int next : waitedFor(rank)) {
      int begin = follow(next);
      if (begin >= 0) {
        return begin;
      }
    }
    path.removeLast();
    return -1;
  }

  /** Ranks each of which keeps this one waiting; of a wait for any of several, nobody does alone. */
  private List<Integer> waitedFor(int rank) {
    Waiting waiting = waits.get(rank).orElse(null);
    if (waiting == null || waiting.call() == IN_REQUESTS) {
      return List.of();
    }
    return waiting.call() == IN_BARRIER
        ? there.stream().filter(other -> !isAtBarrier(other)).toList()
        : there.stream().filter(other -> other == waiting.peer()).toList();
  }

  private boolean isAtBarrier(int rank) {
    return waits.get(rank).filter(waiting -> waiting.call() == IN_BARRIER).isPresent();
  }

  private String circle(List<Integer> ranks) {
    String chain =
        IntStream.range(0, ranks.size())
            .mapToObj(i -> "waits for rank %d (%s)".formatted(first + ranks.get((i + 1) % ranks.size()),
                words(ranks.get(i))))
            .collect(Collectors.joining(", which "));
    return "ranks wait for each other: rank %d %s".formatted(first + ranks.getFirst(), chain);
  }

  private String each() {
    return there.stream()
        .limit(MOST_NAMED)
        .map(rank -> "rank %d %s".formatted(first + rank, words(rank)))
        .collect(Collectors.joining("; "))
        + (there.size() > MOST_NAMED ? "; …" : "");
  }
}
