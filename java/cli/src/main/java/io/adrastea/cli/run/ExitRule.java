package io.adrastea.cli.run;

import java.util.List;

/** What the exit code of a job is whose ranks have all ended by themselves; the names are the words of the option. */
enum ExitRule {
  /** The exit code of the rank that failed first. */
  first {
    @Override
    int code(List<RankEnds.End> failed) {
      return failed.isEmpty() ? 0 : failed.getFirst().status().code();
    }
  },
  /** The exit code of rank 0, whatever became of the others. */
  rank0 {
    @Override
    int code(List<RankEnds.End> failed) {
      return failed.stream().filter(end -> end.rank() == 0).mapToInt(end -> end.status().code()).findFirst().orElse(0);
    }
  },
  /** How many ranks failed, at most 125. */
  failures {
    @Override
    int code(List<RankEnds.End> failed) {
      return Math.min(failed.size(), MOST_FAILED);
    }
  };

  private static final int MOST_FAILED = 125; // of an exit code: above it other things are meant

  /**
   * The exit code.
   *
   * @param failed the ends of the ranks that failed, as they were heard of
   */
  abstract int code(List<RankEnds.End> failed);
}
