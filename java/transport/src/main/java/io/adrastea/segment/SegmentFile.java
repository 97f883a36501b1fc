package io.adrastea.segment;

import io.adrastea.config.Tunable;
import io.adrastea.error.SegmentException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The file under a segment while it has a name: made exclusively, for its owner alone, found by the other ranks under a
 * name of user, job and node, and removed by the last rank to attach.
 *
 * <p>
 * The creator holds an fcntl lock on it until then, and each rank one on a byte of its own ({@link Segment#lockPlace}).
 * The kernel drops these with the process, however it ends and whatever PID namespace it lived in, so a file that can
 * be locked whole is stale: {@link #removeStale}.
 */
public final class SegmentFile {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
  private static final String ATTRIBUTES = "unix:uid,mode";
  private static final String IDENTITY = "unix:dev,ino";
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final int TYPE_MASK = 0170000;
  private static final int REGULAR = 0100000;
  private static final int OTHERS = 077;

  /**
   * Files that this JVM has open: opening and closing one again would drop its locks, since fcntl locks are per
   * process.
   */
  private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

  private SegmentFile() {}

  /** The directory in force: {@code adrastea.shm.dir}, or /dev/shm, or the directory of temporary files. */
  public static Path directory() {
    if (Tunable.SHM_DIR.isSet()) {
      return Path.of(Tunable.SHM_DIR.value());
    }
    Path shm = Path.of("/dev/shm");
    return Files.isDirectory(shm) ? shm : Path.of(System.getProperty("java.io.tmpdir"));
  }

  /**
   * Refuses a directory that was asked for and where no segment can be made, before anything is started.
   *
   * @throws SegmentException when it is not there, may not be written to, or is not this host's alone
   */
  public static void requireDirectory() {
    Path directory = directory();
    boolean there = Files.isDirectory(directory);
    if (!there || !Files.isWritable(directory)) {
      throw new SegmentException(
          "adrastea.shm.dir is '%s': %s"
              .formatted(directory,
                  there ? "this user may not write there; choose another directory" : missing(directory)));
    }
    Mount.requireOneHost(directory);
  }

  private static String missing(Path directory) {
    return "there is no directory %s; make it, or choose another (adrastea.shm.dir)".formatted(directory);
  }

  /** Name of the file of a node of a job of this user. */
  public static Path path(Path directory, long job, int node) {
    return directory.resolve("adrastea-%d-%016x-%d".formatted(uid(), job, node));
  }

  /** The user's number; 0 where the system has none. */
  public static int uid() {
    try {
      return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return 0;
    }
  }

  /** Makes one path of every way to write it, and of every link to its directory. */
  private static Path key(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    try {
      return absolute.getParent().toRealPath().resolve(absolute.getFileName());
    } catch (IOException e) {
      return absolute; // there is no such directory
    }
  }

  /** Makes the file and locks it. */
  static FileChannel create(Path path) {
    boolean added = OWN.add(key(path)); // else it is there already, made by this JVM, and stays its own
    try {
      while (true) {
        FileChannel channel =
            FileChannel.open(
                path,
                Set.of(
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        if (lock(path, channel)) {
          return channel;
        }
      }
    } catch (IOException e) {
      if (added) {
        OWN.remove(key(path));
      }
      throw new SegmentException("cannot create %s: %s".formatted(path, whyNotCreated(path, e)), e);
    }
  }

  /** Says why as a C rank does: {@code create} in {@code job/adr_joining.c}. */
  private static String whyNotCreated(Path path, IOException e) {
    if (e instanceof FileAlreadyExistsException) {
      return inTheWay(path);
    }
    return e instanceof NoSuchFileException
        ? missing(path.getParent())
        : reason(e) + "; the directory must be there and writable (adrastea.shm.dir names another)";
  }

  /** One of ours that is not locked is stale, and was removed before. */
  private static String inTheWay(Path path) {
    int type = REGULAR;
    try {
      type = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & TYPE_MASK;
    } catch (IOException e) {
      // it has gone meanwhile: it was a segment
    }
    return type == REGULAR
        ? "another process is rank 0 of this job already; each job needs an id of its own, each of its "
            + "processes a rank of its own"
            + " (adrastea.job, adrastea.rank)"
        : "it is there already, and is %s; remove it, or choose another directory (adrastea.shm.dir)"
            .formatted(kind(type));
  }

  /** Locks a file just made; false: someone took it for stale between open and lock. */
  private static boolean lock(Path path, FileChannel channel) throws IOException {
    try {
      channel.lock(0, Segment.PLACES, false);
    } catch (IOException e) {
      Files.deleteIfExists(path);
      channel.close();
      throw e;
    }
    boolean there = Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    if (!there) {
      channel.close();
    }
    return there;
  }

  /** Opens the file of another rank of this user; empty while there is none. */
  static Optional<FileChannel> open(Path path) {
    boolean added = false;
    try {
      // To open a FIFO or a device does something to it.
      refuseForeign(path, Files.readAttributes(path, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS));
      added = OWN.add(key(path));
      return Optional.of(
          checked(path,
              FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)));
    } catch (NoSuchFileException e) {
      forget(path, added);
      return Optional.empty();
    } catch (IOException e) {
      forget(path, added);
      throw new SegmentException("cannot open %s: %s".formatted(path, reason(e)), e);
    } catch (SegmentException e) {
      forget(path, added);
      throw e;
    }
  }

  private static void forget(Path path, boolean added) {
    if (added) {
      OWN.remove(key(path));
    }
  }

  /** Opens a file that a process of this user has open: {@code /proc/<pid>/fd/<n>}, a link that is followed. */
  static FileChannel openOther(Path descriptor) {
    try {
      refuseForeign(descriptor, Files.readAttributes(descriptor, ATTRIBUTES));
      return checked(descriptor, FileChannel.open(descriptor, StandardOpenOption.READ, StandardOpenOption.WRITE));
    } catch (IOException e) {
      throw new SegmentException("cannot open %s: %s; its process may have ended".formatted(descriptor, reason(e)), e);
    }
  }

  /** The file that was opened, once more, since its name may have been another's by then; closed when it is refused. */
  static FileChannel checked(Path path, FileChannel channel) throws IOException {
    try {
      OpenFile.attributes(channel).ifPresent(found -> refuseForeign(path, found));
      return channel;
    } catch (IOException | SegmentException e) {
      channel.close();
      throw e;
    }
  }

  private static void refuseForeign(Path path, Map<String, Object> found) {
    refuseForeign(path, (int) found.get("uid"), (int) found.get("mode"));
  }

  private static void refuseForeign(Path path, int uid, int mode) {
    if ((mode & TYPE_MASK) != REGULAR) {
      throw new SegmentException(
          "%s is not a regular file but %s; remove it, or name another adrastea.shm.dir".formatted(path,
              kind(mode & TYPE_MASK)));
    }
    if (uid != uid()) {
      throw new SegmentException(
          "%s belongs to user %d, not to user %d; ranks of one job must run as one user".formatted(path, uid, uid()));
    }
    if ((mode & OTHERS) != 0) {
      throw new SegmentException(
          "%s has mode %o; a segment must be accessible to its owner alone (600)".formatted(path, mode & 07777));
    }
  }

  private static String kind(int type) {
    return switch (type) {
      case 0120000 -> "a symbolic link";
      case 0040000 -> "a directory";
      case 0010000 -> "a FIFO";
      case 0140000 -> "a socket";
      default -> "a device";
    };
  }

  /** Takes the name away; the memory lives on in processes that have mapped it. */
  static void unlink(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new SegmentException("cannot remove %s: %s".formatted(path, reason(e)), e);
    } finally {
      OWN.remove(key(path));
    }
  }

  /** The file is not open any more. */
  static void disown(Path path) {
    OWN.remove(key(path));
  }

  /**
   * Removes the files of this user whose creator is gone, and the ranks that had come. What cannot be looked at is left
   * alone.
   */
  public static void removeStale(Path directory) {
    Pattern ours = Pattern.compile("adrastea-%d-[0-9a-f]{16}-[0-9]{1,9}".formatted(uid()));
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory, file -> ours.matcher(file.getFileName().toString()).matches())) {
      for (Path file : files) {
        if (!OWN.contains(key(file)) && isPlainAndOurs(file) && !isOpenHere(file)) {
          removeIfStale(file);
        }
      }
    } catch (IOException | java.nio.file.DirectoryIteratorException e) {
      // the directory itself is reported when the segment is made in it
    }
  }

  private static boolean isPlainAndOurs(Path file) throws IOException {
    try {
      Map<String, Object> found = Files.readAttributes(file, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
      return ((int) found.get("mode") & TYPE_MASK) == REGULAR && (int) found.get("uid") == uid();
    } catch (NoSuchFileException e) {
      return false; // removed meanwhile
    }
  }

  /** Whether other code of this process has it open, whose locks would be dropped. As {@code is_open_here} in C. */
  private static boolean isOpenHere(Path file) throws IOException {
    if (!Files.isDirectory(DESCRIPTORS)) {
      return false; // nothing tells
    }
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
      Map<String, Object> wanted = Files.readAttributes(file, IDENTITY, LinkOption.NOFOLLOW_LINKS);
      for (Path descriptor : descriptors) {
        if (isOf(descriptor, wanted)) {
          return true;
        }
      }
      return false;
    } catch (NoSuchFileException e) {
      return true; // removed meanwhile
    }
  }

  private static boolean isOf(Path descriptor, Map<String, Object> wanted) {
    try {
      return Files.readAttributes(descriptor, IDENTITY).equals(wanted);
    } catch (IOException e) {
      return false; // another thread has closed that one
    }
  }

  private static void removeIfStale(Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileLock lock = channel.tryLock()) {
      if (lock != null) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | OverlappingFileLockException e) {
      // in use, or gone already
    }
  }

  /** Why something could not be done with a file: some of these have its path for a message, and no more. */
  public static String reason(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "Permission denied";
    }
    if (e instanceof FileSystemException system && system.getReason() != null) {
      return system.getReason();
    }
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }
}
