package io.adrastea.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a made-up system offers huge pages. */
class HugePagesTest {
  private static final String NEVER = "always within_size advise [never] deny force\n";
  private static final String SIZE = "2097152\n";
  private static final long DEVICE = 27; // 0:27

  @TempDir
  Path root;

  private HugePages offered(String size, String all, String options, long device) throws IOException {
    write("sys/kernel/mm/transparent_hugepage/hpage_pmd_size", size);
    write("sys/kernel/mm/transparent_hugepage/shmem_enabled", all);
    write(
        "proc/self/mountinfo",
        """
            25 24 0:23 / /dev/shm rw,relatime - tmpfs tmpfs rw,size=64k,huge=always
            30 25 0:27 / /dev/my\\040shm rw,relatime shared:5 - tmpfs tmpfs rw,size=64k%s
            31 25 259:300 / /mnt rw - tmpfs tmpfs rw,huge=advise
            """
            .formatted(options));
    return HugePages.of(root, device);
  }

  private void write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @ParameterizedTest
  @CsvSource({
    "'', 0",
    "',huge=never', 0",
    "',huge=advised', 0",
    "',huge=advise', 2097152",
    "',huge=within_size,inode64', 2097152",
    "',huge=always', 2097152"
  })
  void theMountOfTheFileDecides(String options, long bytes) throws IOException {
    assertEquals(bytes, offered(SIZE, NEVER, options, DEVICE).bytes());
  }

  @Test
  void whatHoldsForMemoryWithoutAFileDoesNotMatter() throws IOException {
    HugePages pages = offered(SIZE, "[always] within_size advise never deny force\n", "", DEVICE);
    assertEquals(0, pages.bytes());
    assertTrue(pages.why().contains("not mounted with huge="), pages.why());
  }

  @Test
  void theSystemForbidsOrForcesThemOnEveryMount() throws IOException {
    HugePages denied = offered(SIZE, "always within_size advise never [deny] force\n", ",huge=always", DEVICE);
    assertEquals(new HugePages(0, "shmem_enabled is deny"), denied);
    HugePages forced = offered(SIZE, "always within_size advise never deny [force]\n", "", DEVICE);
    assertEquals(new HugePages(2 << 20, "shmem_enabled is force"), forced);
  }

  @Test
  void aFileSystemIsFoundByBothNumbersOfItsDevice() throws IOException {
    long device = 259L << 8 | 300L & 0xff | (300L & ~0xffL) << 12;
    assertEquals(new HugePages(2 << 20, "the file system is mounted with huge=advise"),
        offered(SIZE, NEVER, "", device));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0\n", "4096\n", "3000000\n", "no\n", "99999999999999999999\n"})
  void aSizeThatCannotBeIsNone(String size) throws IOException {
    assertEquals(new HugePages(0, "this system has none"), offered(size, "[force]\n", "", DEVICE));
  }

  @Test
  void aSystemWithoutThemOffersNone() {
    assertEquals(new HugePages(0, "this system has none"), HugePages.of(root, DEVICE));
  }

  @Test
  void aDirectoryThatIsNotThereOffersNone() {
    assertEquals(0, HugePages.of(root.resolve("missing")).bytes());
  }
}
