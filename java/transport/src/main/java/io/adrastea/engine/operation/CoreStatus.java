package io.adrastea.engine.operation;

import io.adrastea.error.SegmentException;
import io.adrastea.link.Link;

/** Answers of the core that no correct rank brings about. */
public final class CoreStatus {
  private CoreStatus() {}

  /** Passes a status on that is no error. */
  public static int checked(int status) {
    if (status < 0) {
      throw corrupt("core error " + -status);
    }
    return status;
  }

  /** Passes a status on that is no error, or is {@link Link#AGAIN}. */
  public static int checkedOrAgain(int status) {
    return status == Link.AGAIN ? status : checked(status);
  }

  public static SegmentException corrupt(String what) {
    return new SegmentException(
        "the segment holds what no correct rank writes (%s); a rank of this job is broken or of another version"
            .formatted(what));
  }
}
