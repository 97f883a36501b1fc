package io.adrastea.link.pipe;

import io.adrastea.link.Link;

/** How a {@link PipeLink}, which holds its lock meanwhile, knows whether the rank at the other end is there. */
interface RankEnds {
  boolean isPresent(Pipe pipe);

  /** Whether a rank that is not present has failed. */
  boolean hasFailed(Pipe pipe);

  String reason(Pipe pipe);

  long pid(Pipe pipe);

  /** Whether a rank tells of its own end by a last frame. */
  boolean areTold();

  /** By a link of shared memory, and by a connection that has ended for long while that says that the rank is there. */
  record ByTable(Link table) implements RankEnds {
    private static final long GRACE_NANOS = 200_000_000L; // from the end of a connection to the rank's own word for it

    @Override
    public boolean isPresent(Pipe pipe) {
      boolean present = table.isPresent(pipe.rank);
      pipe.lost |= present && pipe.ended && System.nanoTime() - pipe.endedAt > GRACE_NANOS;
      return present && !pipe.lost;
    }

    @Override
    public boolean hasFailed(Pipe pipe) {
      return pipe.lost || table.hasFailed(pipe.rank);
    }

    @Override
    public String reason(Pipe pipe) {
      return pipe.lost ? Pipe.CUT : table.reason(pipe.rank);
    }

    @Override
    public long pid(Pipe pipe) {
      return table.pid(pipe.rank);
    }

    @Override
    public boolean areTold() {
      return false;
    }
  }

  /** By the connection alone: the last word of the rank, or an end without one, which is a failure. */
  record ByConnection() implements RankEnds {
    @Override
    public boolean isPresent(Pipe pipe) {
      return !pipe.ended && pipe.lastWord == null;
    }

    @Override
    public boolean hasFailed(Pipe pipe) {
      return pipe.lastWord == null ? pipe.ended : pipe.lastWord.failed();
    }

    @Override
    public String reason(Pipe pipe) {
      return pipe.lastWord == null ? pipe.ended ? Pipe.CUT : "" : pipe.lastWord.reason();
    }

    @Override
    public long pid(Pipe pipe) {
      return pipe.pid;
    }

    @Override
    public boolean areTold() {
      return true;
    }
  }
}
