package io.adrastea.bootstrap;

import io.adrastea.error.JoinException;
import io.adrastea.segment.SegmentFile;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** What tells the node of a process from others. Twin of {@code bootstrap/adr_node.h}. */
final class NodeIdentity {
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

  private NodeIdentity() {}

  /**
   * The start of the kernel, and device and inode of the directory of segments, with colons between: processes with the
   * same can share a segment, whatever containers they live in and whatever their launcher says of nodes. Words without
   * blanks.
   *
   * @throws JoinException when there is no such directory
   */
  static String here() {
    Path directory = SegmentFile.directory();
    try {
      Map<String, Object> file = Files.readAttributes(directory, "unix:dev,ino");
      return "%s:%s:%s".formatted(boot(), Long.toUnsignedString((Long) file.get("dev")),
          Long.toUnsignedString((Long) file.get("ino")));
    } catch (IOException e) {
      throw new JoinException("there is no directory %s; make it, or choose another (adrastea.shm.dir)"
          .formatted(directory), e);
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      return boot() + ":" + directory.toAbsolutePath().toString().replace(' ', '_'); // a system without inodes
    }
  }

  /** The message for a job whose rank {@code rank} is on another node than rank 0. */
  static String apart(int rank, String node, String first) {
    return ("rank %d shares no memory with rank 0: the one is on node %s, the other on %s (start of the kernel, device "
        + "and inode of the directory of segments); start all ranks on one host and let "
        + "ADRASTEA_SHM_DIR name one directory that all of them see").formatted(rank, node, first);
  }

  /** The kernel's, or where it does not tell the name of the host. */
  private static String boot() {
    try {
      return Files.readString(BOOT).strip();
    } catch (IOException e) {
      return host();
    }
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (IOException e) {
      return "";
    }
  }
}
