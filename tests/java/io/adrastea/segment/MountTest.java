package io.adrastea.segment;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.error.SegmentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which file system a directory is on, as a made-up system tells it, and which types several hosts can mount. */
class MountTest {
  private static final Path TWIN = Path.of(System.getProperty("adrastea.root"), "native/segment/adr_mount.c");

  @TempDir
  Path root;

  @Test
  void theLineOfTheDeviceTells() throws IOException {
    Path file = root.resolve("proc/self/mountinfo");
    Files.createDirectories(file.getParent());
    Files.writeString(file, """
        25 24 0:23 / /dev/shm rw,relatime - tmpfs tmpfs rw,size=64k
        26 24 0:2 no more
        30 25 0:27 / /my\\040home rw shared:5 master:1 - nfs4 server:/home rw,vers=4.2
        31 25 259:300 / /scratch rw - lustre mgs@tcp:/scratch rw
        """);
    assertEquals(Optional.of(new Mount("tmpfs", "tmpfs", "rw,size=64k")), Mount.of(root, 23));
    assertEquals(Optional.of(new Mount("nfs4", "server:/home", "rw,vers=4.2")), Mount.of(root, 27));
    long device = 259L << 8 | 300L & 0xff | (300L & ~0xffL) << 12;
    assertEquals(Optional.of(new Mount("lustre", "mgs@tcp:/scratch", "rw")), Mount.of(root, device));
    assertEquals(Optional.empty(), Mount.of(root, 2));
    assertEquals(Optional.empty(), Mount.of(root, 28));
  }

  @Test
  void aSystemThatTellsNothingIsNone() {
    assertEquals(Optional.empty(), Mount.of(root, 23));
    assertEquals(Optional.empty(), Mount.of(root.resolve("missing")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nfs", "nfs4", "cifs", "smb3", "lustre", "ceph", "gpfs", "fuse.sshfs"})
  void networksAreRefusedByName(String type) {
    SegmentException refusal =
        assertThrows(SegmentException.class, () -> new Mount(type, "server:/home", "rw").requireOneHost("/home/x"));
    assertEquals(
        "/home/x is on " + type + " (server:/home), which several hosts can mount, and ranks share the memory of one; "
            + "choose a directory of this host, best on a memory file system, as /dev/shm (adrastea.shm.dir)",
        refusal.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"tmpfs", "ramfs", "ext4", "xfs", "btrfs", "overlay", "fuse.fuse-overlayfs", "fuse", "9p"})
  void fileSystemsOfOneHostAreTaken(String type) {
    assertDoesNotThrow(() -> new Mount(type, "none", "rw").requireOneHost("/tmp"));
  }

  @Test
  void bothLanguagesRefuseTheSame() throws IOException {
    String list = Files.readString(TWIN).split("of_several_hosts\\[] = \\{")[1].split("};")[0];
    assertEquals(
        Mount.OF_SEVERAL_HOSTS.stream().sorted().toList(),
        Pattern.compile("\"([^\"]+)\"").matcher(list).results().map((MatchResult type) -> type.group(1)).toList());
  }
}
