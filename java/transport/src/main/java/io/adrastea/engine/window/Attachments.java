package io.adrastea.engine.window;

import io.adrastea.core.Spaces;
import io.adrastea.error.AdrasteaException;
import io.adrastea.engine.group.Members;
import io.adrastea.space.Exposed;

/**
 * The memory of other processes that a window has attached by XPMEM, from its making to its end. The kernel ends an
 * attachment when its owner ends, or when another user of XPMEM in either process closes a descriptor, and tells
 * nobody: so this asks at each synchronisation, and an access that meets it says so.
 */
final class Attachments {
  private final Spaces spaces;
  private final Members members;
  private final Exposed exposed;
  private final boolean any;
  private RuntimeException lost; // what was found last, and the program was not told; null: nothing

  Attachments(Spaces spaces, Members members, Exposed exposed) {
    this.spaces = spaces;
    this.members = members;
    this.exposed = exposed;
    boolean attached = false;
    for (int member = 0; member < exposed.ranks(); member++) {
      attached |= exposed.part(member).way() == Exposed.Way.XPMEM;
    }
    this.any = attached;
  }

  /** What the program is to be told at the end of an epoch: what was accessed may not be there; null: nothing. */
  RuntimeException lost() {
    if (!any) {
      return null;
    }
    for (int member = 0; lost == null && member < exposed.ranks(); member++) {
      Exposed.Part part = exposed.part(member);
      if (part.way() == Exposed.Way.XPMEM && spaces.reach(part.exposure().segment(), 0, 0) < 0) {
        lost = failure(member, null);
      }
    }
    RuntimeException told = lost;
    lost = null;
    return told;
  }

  /** An access has met memory that is gone. */
  RuntimeException failure(int member, Throwable cause) {
    return new AdrasteaException(
        ("the memory of rank %s in %s is not attached any more: its process has ended, has freed the memory, or "
            + "another user of XPMEM (UCX, an MPI) has ended it for one of the two; what was put or read there in this "
            + "epoch may be missing. Set adrastea.window to cma or handler beside such a user")
            .formatted(members.name(members.numbering().jobRank(member)), members.label()),
        cause);
  }

  /** Lets go of all. */
  void close() {
    for (int member = 0; member < exposed.ranks(); member++) {
      detach(spaces, exposed.part(member));
    }
  }

  /** Lets go of the memory of one member, if it is attached. */
  static void detach(Spaces spaces, Exposed.Part part) {
    if (part.way() == Exposed.Way.XPMEM) {
      spaces.unreach(part.exposure().segment(), part.exposure().vector().start(0), part.bytes());
    }
  }
}
