package io.adrastea.cli.info;

import io.adrastea.core.Cores;
import io.adrastea.core.Spaces;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * One of two processes that try to reach each other's memory as ranks would: children of the same parent, which they
 * allow in as ranks allow their launcher. Tells in a line where its memory is, reads the same of the other one, tells
 * what came of it, and ends with its input.
 */
final class PathPeer {
  private final Spaces spaces;
  private final MemorySegment own = Arena.global().allocate(ValueLayout.JAVA_LONG);
  private final MemorySegment copy = Arena.global().allocate(ValueLayout.JAVA_LONG);

  private PathPeer(Spaces spaces) {
    this.spaces = spaces;
  }

  /** Started with the name of its core and the number of its parent. */
  public static void main(String[] words) throws IOException {
    PathPeer peer = new PathPeer(Cores.choose(words[0]).spaces());
    peer.spaces.allow(Integer.parseInt(words[1]));
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    System.out.println(peer.place());
    String other = in.readLine();
    if (other != null) {
      System.out.println(peer.reach(other));
      in.readLine(); // the other one may not have finished
    }
  }

  private String place() {
    return ProcessHandle.current().pid() + " " + own.address() + " " + spaces.export();
  }

  private String reach(String place) {
    String[] words = place.split(" ");
    int pid = Integer.parseInt(words[0]);
    long address = Long.parseLong(words[1]);
    long read = spaces.read(pid, address, copy, 0, copy.byteSize());
    long written = spaces.write(pid, address, copy, 0, copy.byteSize());
    return read + " " + written + " " + attaches(Long.parseLong(words[2]), address);
  }

  private boolean attaches(long segment, long address) {
    boolean here = segment > 0 && spaces.reach(segment, address, Long.BYTES) > 0;
    if (here) {
      spaces.unreach(segment, address, Long.BYTES);
    }
    return here;
  }
}
