package io.adrastea.peers;

import io.adrastea.link.Inbound;
import io.adrastea.link.Link;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** A link whose pieces a test lays out itself: each is the number of its source and a match word. */
public class GivenLink implements Link {
  final Deque<long[]> pieces = new ArrayDeque<>(); // source, match
  public int pieceBytes = 100;
  int repaired;
  int taken;
  int asked; // whether a rank is present
  List<Integer> departed; // ranks that have gone; null: it lists none
  int polls;
  int watches;
  int closed;
  RuntimeException failure; // of its end; null: none
  boolean endless; // the first piece is never used up

  void add(int source, long match) {
    pieces.add(new long[] {source, match});
  }

  @Override
  public int poll(int first, Inbound inbound) {
    polls++;
    if (pieces.isEmpty()) {
      return AGAIN;
    }
    inbound.found((int) pieces.peek()[0], 1, pieces.peek()[1], 0, MemorySegment.NULL, 0, 0, 0);
    return PIECE;
  }

  @Override
  public int release() {
    taken++;
    if (!endless) {
      pieces.poll();
    }
    return 0;
  }

  @Override
  public int take(MemorySegment destination, long offset, long length) {
    return release();
  }

  @Override
  public int retain() {
    return AGAIN;
  }

  @Override
  public int releaseRetained(int source, long place) {
    return 0;
  }

  @Override
  public int pieceBytes() {
    return pieceBytes;
  }

  @Override
  public int trySend(int to, int kind, long match, long total, MemorySegment source, long offset, long length) {
    return AGAIN;
  }

  @Override
  public long claim(int destination, int kind, long match, long totalLength, long length) {
    return AGAIN;
  }

  @Override
  public MemorySegment room(int destination) {
    return MemorySegment.NULL;
  }

  @Override
  public int commit(int destination) {
    return 0;
  }

  @Override
  public int abort(int destination) {
    return 0;
  }

  @Override
  public boolean isPresent(int rank) {
    asked++;
    return departed == null || !departed.contains(rank);
  }

  @Override
  public int departed(int index) {
    return departed == null ? NOSYS : index < departed.size() ? departed.get(index) : AGAIN;
  }

  @Override
  public boolean hasFailed(int rank) {
    return false;
  }

  @Override
  public String reason(int rank) {
    return "";
  }

  @Override
  public String host(int rank) {
    return rank == 1 ? "n2" : "";
  }

  @Override
  public String describe() {
    return "given";
  }

  @Override
  public long pid(int rank) {
    return 1;
  }

  @Override
  public int repair() {
    return repaired;
  }

  @Override
  public int mostPieces() {
    return 10;
  }

  @Override
  public void watch(Runnable wake) {
    watches++;
  }

  @Override
  public void endWatch() {
    watches--;
  }

  @Override
  public void close() {
    closed++;
    if (failure != null) {
      throw failure;
    }
  }
}
