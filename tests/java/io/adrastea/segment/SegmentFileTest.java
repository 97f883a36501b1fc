package io.adrastea.segment;

import static io.adrastea.segment.OtherProcess.GEOMETRY;
import static io.adrastea.segment.OtherProcess.JOB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.adrastea.Settings;
import io.adrastea.error.SegmentException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file under a segment: whose it is, which users may open it, and when it is stale. */
@Timeout(240)
class SegmentFileTest {
  private static final int NOBODY = 65_534;

  @TempDir
  Path directory;
  private Path path;

  @BeforeEach
  void namePath() {
    path = SegmentFile.path(directory, JOB, 0);
  }

  private String refusal() {
    return assertThrows(SegmentException.class, () -> SegmentFile.open(path)).getMessage();
  }

  private void makeFile(String mode) throws IOException {
    Files.createFile(path);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  @Test
  void theNameIsOfUserJobAndNode() throws IOException {
    int uid = (int) Files.getAttribute(directory, "unix:uid");
    assertEquals("adrastea-" + uid + "-0000000000000077-0", path.getFileName().toString());
    assertEquals(
        "adrastea-" + uid + "-ffffffffffffffff-12", SegmentFile.path(directory, -1, 12).getFileName().toString());
  }

  @Test
  void theFileIsItsOwnersAlone() throws IOException {
    try (FileChannel file = SegmentFile.create(path)) {
      assertEquals(
          Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE),
          Files.getPosixFilePermissions(path));
      assertEquals(0, file.size());
    }
    SegmentFile.unlink(path);
    assertFalse(Files.exists(path));
    SegmentFile.unlink(path); // gone already: nothing to say
  }

  @Test
  void aFileThatIsThereIsNotTakenOver() throws IOException {
    makeFile("rw-------");
    Files.writeString(path, "mine");
    assertEquals(
        ("cannot create %s: another process is rank 0 of this job already; each job needs an id of its own, each "
            + "of its processes a rank of its own")
            .formatted(path)
            + " (adrastea.job, adrastea.rank)",
        creation(path));
    assertEquals("mine", Files.readString(path));
  }

  @Test
  void aSymbolicLinkIsNotFollowedByTheCreator() throws IOException {
    Path elsewhere = directory.resolve("elsewhere");
    Files.createSymbolicLink(path, elsewhere);
    assertEquals(inTheWay("a symbolic link"), creation(path));
    assertFalse(Files.exists(elsewhere));
  }

  /** Words as of a C rank: job_join_test. */
  @Test
  void whatIsInTheWayIsNamed() throws IOException, InterruptedException {
    Files.createDirectory(path);
    assertEquals(inTheWay("a directory"), creation(path));
    Files.delete(path);
    assertEquals(0, new ProcessBuilder("mkfifo", path.toString()).start().waitFor());
    assertEquals(inTheWay("a FIFO"), creation(path));
  }

  private String inTheWay(String kind) {
    return "cannot create %s: it is there already, and is %s; remove it, or choose another directory (adrastea.shm.dir)"
        .formatted(path, kind);
  }

  private static String creation(Path path) {
    return assertThrows(SegmentException.class, () -> SegmentFile.create(path)).getMessage();
  }

  @Test
  void aDirectoryThatIsNotThereIsNamedWithTheSetting() {
    Path missing = directory.resolve("missing/adrastea-1-2");
    String said =
        ": there is no directory %s; make it, or choose another (adrastea.shm.dir)".formatted(missing.getParent());
    assertEquals("cannot create " + missing + said, creation(missing));
    Path inFile = Path.of("/dev/null/adrastea-1-2");
    assertEquals(
        "cannot create " + inFile
            + ": Not a directory; the directory must be there and writable (adrastea.shm.dir names another)",
        creation(inFile));
  }

  @Test
  void aDirectoryThatIsNotThereIsRefusedBeforeAnythingIsMade() throws Exception {
    Path missing = directory.resolve("missing");
    SegmentException refusal =
        Settings.with(
            Map.of("adrastea.shm.dir", missing.toString()),
            () -> assertThrows(SegmentException.class, SegmentFile::requireDirectory));
    assertTrue(refusal.getMessage().contains("there is no directory " + missing), refusal.getMessage());
    Settings.with(
        Map.of("adrastea.shm.dir", directory.toString()),
        () -> {
          SegmentFile.requireDirectory();
          return null;
        });
  }

  @Test
  void noFileIsNoError() {
    assertTrue(SegmentFile.open(path).isEmpty());
  }

  @Test
  void refusesASymbolicLinkEvenToAGoodFile() throws IOException {
    Path target = SegmentFile.path(directory, JOB + 1, 0);
    SegmentFile.create(target).close();
    Files.createSymbolicLink(path, target);
    String message = refusal();
    assertTrue(message.contains(path + " is not a regular file"), message);
    SegmentFile.unlink(target);
  }

  @Test
  void refusesAFifoWithoutWaitingForItsOtherEnd() throws IOException, InterruptedException {
    assertEquals(0, new ProcessBuilder("mkfifo", "-m", "600", path.toString()).start().waitFor());
    String message = refusal();
    assertTrue(message.contains(path + " is not a regular file"), message);
  }

  @Test
  void refusesADirectory() throws IOException {
    Files.createDirectory(path);
    assertTrue(refusal().contains("is not a regular file but a directory"));
  }

  @Test
  void refusesASocket() throws IOException {
    Path near = Files.createTempDirectory("s"); // its name has to be short
    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(near.resolve("s")));
      Files.move(near.resolve("s"), path);
      assertTrue(refusal().contains("is not a regular file but a socket"));
    }
    Files.delete(near);
  }

  @Test
  void refusesADevice() throws IOException, InterruptedException {
    int status = new ProcessBuilder("mknod", "-m", "600", path.toString(), "c", "1", "3").start().waitFor();
    assumeTrue(status == 0, "mknod may not make a device here");
    assertTrue(refusal().contains("is not a regular file but a device"));
  }

  @Test
  void refusesAFileThatAnotherUserKeepsToHimself() throws IOException {
    assumeTrue(SegmentFile.uid() == 0, "only root can give a file away");
    makeFile("---------");
    Files.setAttribute(path, "unix:uid", NOBODY);
    assertTrue(refusal().contains("belongs to user " + NOBODY), refusal());
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw--w----", "rw----r--", "rwx--x---", "rw-rw-rw-"})
  void refusesAModeThatLetsOthersIn(String mode) throws IOException {
    makeFile(mode);
    String message = refusal();
    int bits = (int) Files.getAttribute(path, "unix:mode") & 0777;
    assertTrue(message.contains("has mode " + Integer.toOctalString(bits)), message);
  }

  @Test
  void refusesAnotherUsersFile() throws IOException {
    assumeTrue(SegmentFile.uid() == 0, "only root can give a file away");
    makeFile("rw-------");
    Files.setAttribute(path, "unix:uid", NOBODY);
    assertTrue(refusal().contains("belongs to user " + NOBODY + ", not to user 0"), refusal());
  }

  /** The name was of another file when it was opened than when it was looked at. */
  @Test
  void refusesWhatWasOpenedWhenThatIsNotWhatWasLookedAt() throws IOException {
    makeFile("rw-------");
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    Path opened = Files.move(path, directory.resolve("opened"));
    makeFile("rw-------"); // what has the name is good
    SegmentFile.checked(path, channel);
    Files.setPosixFilePermissions(opened, PosixFilePermissions.fromString("rw-rw-rw-"));
    String message = assertThrows(SegmentException.class, () -> SegmentFile.checked(path, channel)).getMessage();
    assertTrue(message.contains("has mode 666"), message);
    assertFalse(channel.isOpen());
  }

  @Test
  void anOpenFileIsToldFromAllOthers() throws IOException {
    makeFile("rw-------");
    Path other = Files.createFile(directory.resolve("other"));
    try (FileChannel first = FileChannel.open(other, StandardOpenOption.READ);
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileChannel last = FileChannel.open(other, StandardOpenOption.READ)) {
      assertEquals(0600, mode(file));
      Files.delete(path);
      assertEquals(0600, mode(file));
      assertEquals((int) Files.getAttribute(other, "unix:mode") & 0777, mode(first));
      assertEquals(mode(first), mode(last));
      assertEquals(0, file.position());
    }
  }

  /** A directory stands for a descriptor that was closed between open and read: it can be opened, and reading fails. */
  @Test
  void anOpenFileIsToldThoughAnotherDescriptorIsClosedMeanwhile() throws IOException {
    makeFile("rw-------");
    Path process = Files.createDirectory(directory.resolve("process"));
    Files.createSymbolicLink(process.resolve("fd"), Path.of("/proc/self/fd"));
    Path positions = Files.createDirectory(process.resolve("fdinfo"));
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      Files.createDirectory(positions.resolve("closed"));
      assertTrue(OpenFile.attributes(file, process).isEmpty(), "its own descriptor is not there either");
      for (String descriptor : Path.of("/proc/self/fdinfo").toFile().list()) {
        Files.createSymbolicLink(positions.resolve(descriptor), Path.of("/proc/self/fdinfo", descriptor));
      }
      assertEquals(0600, (int) OpenFile.attributes(file, process).orElseThrow().get("mode") & 0777);
    }
  }

  @Test
  void aSystemThatDoesNotTellPositionsTellsNothingOfAnOpenFile() throws IOException {
    makeFile("rw-------");
    Path positions = Files.createDirectories(directory.resolve("process/fdinfo"));
    Files.writeString(positions.resolve("3"), "flags:\t02\n");
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      assertTrue(OpenFile.attributes(file, positions.getParent()).isEmpty());
      assertEquals(0, file.position());
    }
  }

  private static int mode(FileChannel file) throws IOException {
    return (int) OpenFile.attributes(file).orElseThrow().get("mode") & 0777;
  }

  /** The files are found as a launcher finds those that its ranks have open. */
  @Test
  void refusesWhatAnotherProcessHasOpenUnlessItIsAPlainFileOfThisUsersAlone() throws Exception {
    makeFile("rw-------");
    assertTrue(open("exec 3<>\"$0\"").isEmpty(), "a good file that nobody has finished");
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
    assertTrue(refusalOfOpen("exec 3<>\"$0\"").contains("has mode 644"));
    Files.delete(path);
    assertTrue(refusalOfOpen("mkfifo -m 600 \"$0\"; exec 3<>\"$0\"").contains("is not a regular file but a FIFO"));
    assertTrue(refusalOfOpen("exec 3<>/dev/null").contains("is not a regular file but a device"));
  }

  @Test
  void refusesAnotherUsersFileThatAProcessHasOpen() throws Exception {
    assumeTrue(SegmentFile.uid() == 0, "only root can give a file away");
    makeFile("rw-------");
    Files.setAttribute(path, "unix:uid", NOBODY);
    String message = refusalOfOpen("exec 3<>\"$0\"");
    assertTrue(message.contains("belongs to user " + NOBODY + ", not to user 0"), message);
  }

  private String refusalOfOpen(String script) {
    return assertThrows(SegmentException.class, () -> open(script)).getMessage();
  }

  /** Attaches to descriptor 3 of a shell. */
  private Optional<Segment> open(String script) throws IOException, InterruptedException {
    Process shell = new ProcessBuilder("sh", "-c", script + "; echo ready; exec sleep 1000", path.toString()).start();
    try {
      assertEquals("ready", shell.inputReader().readLine());
      return Segment.attachOpen(Path.of("/proc/" + shell.pid() + "/fd/3"), GEOMETRY.ranks(), JOB);
    } finally {
      shell.destroyForcibly().waitFor();
    }
  }

  @Test
  void aFileOfADeadCreatorIsRemovedAndOneOfALivingIsKept() {
    try (OtherProcess creator = new OtherProcess(directory)) {
      creator.tell("create");
      SegmentFile.removeStale(directory);
      assertTrue(Files.exists(path), "its creator lives");
      creator.kill();
      SegmentFile.removeStale(directory);
      assertFalse(Files.exists(path), "its creator is dead");
    }
  }

  @Test
  void aLivingFileIsKeptByOtherProcesses() {
    try (Segment own = Segment.create(path, GEOMETRY, JOB);
        OtherProcess other = new OtherProcess(directory)) {
      other.tell("removeStale");
      assertTrue(Files.exists(path));
      own.unlink();
    }
  }

  @Test
  void lookingForStaleFilesDoesNotGiveUpTheLockOnAFileOfThisProcess() {
    // This is the same directory, written differently.
    Path roundabout = directory.resolve("..").resolve(directory.getFileName());
    try (Segment own = Segment.create(path, GEOMETRY, JOB);
        OtherProcess other = new OtherProcess(directory)) {
      SegmentFile.removeStale(directory);
      SegmentFile.removeStale(roundabout);
      other.tell("removeStale");
      assertTrue(Files.exists(path));
      own.unlink();
    }
  }

  @Test
  void lookingForStaleFilesDoesNotGiveUpTheLockOfOtherCodeOfThisProcess() throws IOException {
    makeFile("rw-------");
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        OtherProcess other = new OtherProcess(directory)) {
      channel.lock();
      SegmentFile.removeStale(directory);
      other.tell("removeStale");
      assertTrue(Files.exists(path));
    }
    SegmentFile.removeStale(directory);
    assertFalse(Files.exists(path), "nobody has it open");
  }

  @Test
  void aSecondCreationThatFailsDoesNotGiveUpTheLockOfTheFirst() {
    try (Segment own = Segment.create(path, GEOMETRY, JOB);
        OtherProcess other = new OtherProcess(directory)) {
      assertThrows(SegmentException.class, () -> SegmentFile.create(path));
      SegmentFile.removeStale(directory);
      other.tell("removeStale");
      assertTrue(Files.exists(path));
      own.unlink();
    }
  }

  @Test
  void whatIsNotASegmentsFileIsLeftAlone() throws IOException {
    Path otherName = Files.createFile(directory.resolve("adrastea-notes"));
    Path notes = Files.createFile(directory.resolve("adrastea-" + SegmentFile.uid() + "-notes.txt"));
    Path longer = Files.createFile(directory.resolve(SegmentFile.path(directory, 1, 0).getFileName() + "x"));
    Path noNode = Files.createFile(directory.resolve("adrastea-" + SegmentFile.uid() + "-0000000000000001"));
    Path noHex = Files.createFile(directory.resolve("adrastea-" + SegmentFile.uid() + "-000000000000000G-0"));
    Path otherUser = Files.createFile(directory.resolve("adrastea-" + (SegmentFile.uid() + 1) + "-0000000000000001-0"));
    Path victim = Files.createFile(directory.resolve("victim"));
    Path link = Files.createSymbolicLink(SegmentFile.path(directory, 2, 0), victim);
    Path folder = Files.createDirectory(SegmentFile.path(directory, 3, 0));
    SegmentFile.removeStale(directory);
    for (Path kept : new Path[] {otherName, notes, longer, noNode, noHex, otherUser, victim, link, folder}) {
      assertTrue(Files.exists(kept, LinkOption.NOFOLLOW_LINKS), kept.toString());
    }
  }

  @Test
  void oneFileThatCannotBeLookedAtKeepsNoOtherFromBeingRemoved() throws IOException, InterruptedException {
    Path stale = Files.createFile(SegmentFile.path(directory, 4, 0));
    Path ofAnotherNode = Files.createFile(SegmentFile.path(directory, 4, 17));
    assertEquals(
        0, new ProcessBuilder("mkfifo", SegmentFile.path(directory, 5, 0).toString()).start().waitFor());
    SegmentFile.removeStale(directory);
    assertFalse(Files.exists(stale));
    assertFalse(Files.exists(ofAnotherNode));
    assertTrue(Files.exists(SegmentFile.path(directory, 5, 0)));
  }

  @Test
  void aFileOfAnotherUserIsNotRemoved() throws IOException {
    assumeTrue(SegmentFile.uid() == 0, "only root can give a file away");
    makeFile("rw-------");
    Files.setAttribute(path, "unix:uid", NOBODY);
    SegmentFile.removeStale(directory);
    assertTrue(Files.exists(path));
  }

  @Test
  void aDirectoryThatIsNotThereHoldsNothingStale() {
    SegmentFile.removeStale(directory.resolve("missing"));
  }

  @Test
  void theDirectoryIsTheOneThatIsSet() throws Exception {
    assertEquals(
        directory, Settings.with(Map.of("adrastea.shm.dir", directory.toString()), SegmentFile::directory));
  }
}
