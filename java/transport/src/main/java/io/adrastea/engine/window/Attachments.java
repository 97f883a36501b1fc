package io.adrastea.engine.window;

import io.adrastea.core.Spaces;
import io.adrastea.error.AdrasteaException;
import io.adrastea.engine.group.Members;
import io.adrastea.space.Exposed;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory of other processes that a window has attached by XPMEM, until its end, and what the program is to be told
 * at the end of an epoch. The kernel ends an attachment when its owner ends, or when another user of XPMEM in either
 * process closes a descriptor, and tells nobody: so this asks at each synchronisation, and an access that meets it says
 * so. Any thread may call.
 */
final class Attachments {
  /** Memory of a member. */
  private record Attached(int member, Exposed.Part part) {}

  private final Spaces spaces;
  private final Members members;
  private final boolean any;
  private final List<Attached> all = new ArrayList<>();
  private final List<Attached> gone = new ArrayList<>(); // those that are let go of at the next synchronisation
  private RuntimeException lost; // what was found last, and the program was not told; null: nothing

  /**
   * @param any whether there can be something to ask after, or to be told: memory that was attached, or comes to be, or
   * members that do what this rank asks for
   */
  Attachments(Spaces spaces, Members members, boolean any, Exposed exposed) {
    this.spaces = spaces;
    this.members = members;
    boolean attached = false;
    for (int member = 0; member < exposed.ranks(); member++) {
      attached |= exposed.part(member).way() == Exposed.Way.XPMEM;
      add(member, exposed.part(member));
    }
    this.any = any || attached;
  }

  /** Memory of a member that is reached from now on, which is attached if it is reached by XPMEM. */
  synchronized void add(int member, Exposed.Part part) {
    if (part.way() == Exposed.Way.XPMEM) {
      all.add(new Attached(member, part));
    }
  }

  /** Memory that its member has detached: this rank lets go of it when it has no more accesses under way. */
  synchronized void drop(Exposed.Part part) {
    for (int each = 0; each < all.size(); each++) {
      if (all.get(each).part == part) {
        gone.add(all.remove(each));
        return;
      }
    }
  }

  /** What the program is to be told at the end of an epoch: what was accessed may not be there; null: nothing. */
  RuntimeException lost() {
    return any ? look() : null;
  }

  private synchronized RuntimeException look() {
    for (int each = 0; each < gone.size(); each++) { // no iterator, which would be an object for each call
      detach(spaces, gone.get(each).part);
    }
    gone.clear();
    long asked = 0;
    for (int each = 0; lost == null && each < all.size(); each++) {
      long segment = all.get(each).part.exposure().segment();
      if (segment != asked && spaces.reach(segment, 0, 0) < 0) {
        lost = failure(all.get(each).member, null);
      }
      asked = segment;
    }
    RuntimeException told = lost;
    lost = null;
    return told;
  }

  /** The program is to be told of this at the end of an epoch. */
  synchronized void tell(RuntimeException failure) {
    lost = lost == null ? failure : lost;
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
  synchronized void close() {
    all.forEach(each -> detach(spaces, each.part));
    gone.forEach(each -> detach(spaces, each.part));
    all.clear();
    gone.clear();
  }

  /** Lets go of memory, if it is attached. */
  static void detach(Spaces spaces, Exposed.Part part) {
    if (part.way() == Exposed.Way.XPMEM) {
      spaces.unreach(part.exposure().segment(), part.exposure().vector().start(0), part.bytes());
    }
  }
}
