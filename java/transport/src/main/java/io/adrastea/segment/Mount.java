package io.adrastea.segment;

import io.adrastea.error.SegmentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A file system as {@code /proc/self/mountinfo} tells of it. Twin of {@code segment/adr_mount.h}.
 *
 * @param type of the file system, as {@code tmpfs}
 * @param source what is mounted: a device, {@code server:/path}
 * @param options those of the file system, with commas between them
 */
public record Mount(String type, String source, String options) {
  /**
   * Types of file systems that several hosts have mounted at the same time. Memory that is mapped of such a file is
   * that of one host, locks are asked of a server, and ranks of two hosts would take themselves for neighbours. A type
   * of FUSE is here when it is a network's: a container's own files may lie on another one.
   */
  static final Set<String> OF_SEVERAL_HOSTS =
      Set.of(
          "afs", "beegfs", "ceph", "cifs", "coda", "fuse.ceph-fuse", "fuse.glusterfs", "fuse.juicefs", "fuse.rclone",
          "fuse.s3fs", "fuse.sshfs", "gfs2", "gpfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2", "panfs", "pvfs2",
          "smb3", "smbfs");

  /**
   * Refuses a directory whose files several hosts have: a segment is the memory of one.
   *
   * @throws SegmentException when it lies on a file system of a network
   */
  public static void requireOneHost(Path directory) {
    of(directory).ifPresent(mount -> mount.requireOneHost(directory.toString()));
  }

  /** Refuses it for a directory that is on it. */
  void requireOneHost(String directory) {
    if (OF_SEVERAL_HOSTS.contains(type)) {
      throw new SegmentException(
          ("%s is on %s (%s), which several hosts can mount, and ranks share the memory of one; choose a directory of "
              + "this host, best on a memory file system, as /dev/shm (adrastea.shm.dir)")
              .formatted(directory, type, source));
    }
  }

  /** The file system that a directory is on; empty: nothing tells. */
  static Optional<Mount> of(Path directory) {
    try {
      return of(Path.of("/"), (Long) Files.getAttribute(directory.toAbsolutePath(), "unix:dev"));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return Optional.empty(); // what makes a file there will tell
    }
  }

  /**
   * A file system by its number.
   *
   * @param root where {@code proc} lies
   * @param device as {@code stat} tells it
   */
  static Optional<Mount> of(Path root, long device) {
    String number = major(device) + ":" + minor(device);
    return lines(root.resolve("proc/self/mountinfo")).stream()
        .map(line -> parse(line, number)).flatMap(Optional::stream).findFirst();
  }

  /** A line is {@code ID PARENT MAJOR:MINOR ROOT POINT OPTIONS ... - TYPE SOURCE OPTIONS}. */
  private static Optional<Mount> parse(String line, String number) {
    String[] words = line.split(" ", 4);
    int found = line.indexOf(" - ");
    if (words.length < 4 || !words[2].equals(number) || found < 0) {
      return Optional.empty();
    }
    String[] told = line.substring(found + 3).split(" ");
    return told.length == 3 ? Optional.of(new Mount(told[0], told[1], told[2])) : Optional.empty();
  }

  private static long major(long device) {
    return device >>> 8 & 0xfff | device >>> 32 & ~0xfffL;
  }

  private static long minor(long device) {
    return device & 0xff | device >>> 12 & 0xffffff00L;
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of(); // also where the name of a mount is no UTF-8
    }
  }
}
