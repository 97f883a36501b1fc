package io.adrastea.shared;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the system says of huge pages in the shared memory of this process. */
public final class HugeMapping {
  private HugeMapping() {}

  /** Bytes mapped by huge pages, of the mapping that some memory lies in. */
  public static long bytes(MemorySegment memory) {
    try {
      return bytes(memory.address());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static long bytes(long address) throws IOException {
    boolean within = false;
    for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
      String[] words = line.split("[ -]+");
      if (line.matches("\\p{XDigit}+-\\p{XDigit}+ .*")) {
        long end = Long.parseUnsignedLong(words[1], 16); // may be above the largest long
        within = Long.compareUnsigned(Long.parseUnsignedLong(words[0], 16), address) <= 0
            && Long.compareUnsigned(address, end) < 0;
      } else if (within && words[0].equals("ShmemPmdMapped:")) {
        return Long.parseLong(words[1]) << 10;
      }
    }
    throw new AssertionError("no mapping holds " + Long.toHexString(address));
  }
}
