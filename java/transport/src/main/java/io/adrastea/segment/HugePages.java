package io.adrastea.segment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Huge pages for the files of a directory, as the system offers them. Twin of {@code segment/adr_huge.h}.
 *
 * <p>
 * For a memory file system its mount option {@code huge} decides. {@code shmem_enabled} is for memory without a file,
 * but its values {@code deny} and {@code force} hold for all (Linux, admin-guide/mm/transhuge.rst).
 *
 * @param bytes of a huge page, a power of two; 0: none are offered
 * @param why which setting says so
 */
public record HugePages(long bytes, String why) {
  /**
   * No huge page is smaller, on any machine: where fewer bytes are asked for, nobody needs to know what is offered,
   * which takes longer than a page does.
   */
  static final long LEAST_BYTES = 1 << 20;

  private static final String SETTINGS = "sys/kernel/mm/transparent_hugepage/";
  private static final Set<String> OFFERS = Set.of("huge=advise", "huge=within_size", "huge=always");
  private static final long MOST_BYTES = 1L << 40;

  /** The huge pages that files in a directory can have. */
  public static HugePages of(Path directory) {
    try {
      return of(Path.of("/"), (Long) Files.getAttribute(directory.toAbsolutePath(), "unix:dev"));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return none("the file system of " + directory + " does not tell");
    }
  }

  /**
   * The huge pages that files of a file system can have.
   *
   * @param root where {@code proc} and {@code sys} lie
   * @param device of the file system, as {@code stat} tells it
   */
  static HugePages of(Path root, long device) {
    long bytes = pageBytes(root);
    if (bytes == 0) {
      return none("this system has none");
    }
    String forAll = String.join("", lines(root.resolve(SETTINGS + "shmem_enabled")));
    if (forAll.contains("[deny]")) {
      return none("shmem_enabled is deny");
    }
    if (forAll.contains("[force]")) {
      return new HugePages(bytes, "shmem_enabled is force");
    }
    return Mount.of(root, device).flatMap(HugePages::option)
        .map(option -> new HugePages(bytes, "the file system is mounted with " + option))
        .orElseGet(() -> none("the file system is not mounted with huge=advise, within_size or always"));
  }

  private static HugePages none(String why) {
    return new HugePages(0, why);
  }

  /** 0: this system has none. */
  private static long pageBytes(Path root) {
    try {
      long bytes = Long.parseLong(String.join("", lines(root.resolve(SETTINGS + "hpage_pmd_size"))).strip());
      return bytes > Regions.PAGE && bytes <= MOST_BYTES && Long.bitCount(bytes) == 1 ? bytes : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static Optional<String> option(Mount mount) {
    return Arrays.stream(mount.options().split(",")).filter(OFFERS::contains).findFirst();
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }

  /** Whether a stretch of a file can have some. */
  boolean fit(long offset, long length) {
    return bytes != 0 && length >= bytes && (offset & bytes - 1) == 0;
  }
}
