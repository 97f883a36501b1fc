package io.adrastea.core;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** What {@link Spaces#describe} tells of the spaces over the C core. */
public final class SpaceReport {
  private static final int NODEV = -19;
  private static final long PROBE = 0x4145545341524441L;

  private static final int TEXT_BYTES = 512;

  private SpaceReport() {}

  /**
   * A function of the C core that writes a line of text, with a zero at its end, and returns the length that the line
   * has.
   */
  @FunctionalInterface
  public interface Writer {
    /** Writes at most {@code capacity} bytes. */
    int write(MemorySegment text, int capacity);
  }

  /** The line that a function of the C core writes. */
  public static String text(Writer writer) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(TEXT_BYTES);
      writer.write(text, TEXT_BYTES);
      return text.getString(0);
    }
  }

  /**
   * One line each.
   *
   * @param copies how this core copies
   * @param xpmem what {@code adr_xpmem_status} gives
   */
  public static List<String> lines(Spaces spaces, String copies, int xpmem) {
    return List.of("copies: " + copies, "CMA: " + cma(spaces), "XPMEM: " + xpmem(xpmem));
  }

  /** Tries it on this process: what a peer allows is found out peer by peer. */
  private static String cma(Spaces spaces) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment from = arena.allocateFrom(ValueLayout.JAVA_LONG, PROBE);
      MemorySegment to = arena.allocate(ValueLayout.JAVA_LONG);
      long status = spaces.read((int) ProcessHandle.current().pid(), from.address(), to, 0, from.byteSize());
      return status == from.byteSize() && to.get(ValueLayout.JAVA_LONG, 0) == PROBE
          ? "process_vm_readv and process_vm_writev"
          : "refused by this system (errno %d)".formatted(-status);
    }
  }

  private static String xpmem(int status) {
    return switch (status) {
      case 0 -> "/dev/xpmem";
      case NODEV -> "no /dev/xpmem";
      case Spaces.STALE -> "given up: another user of it in this process has closed /dev/xpmem";
      case Spaces.PERM -> "/dev/xpmem may not be opened by this user";
      default -> "/dev/xpmem does not work (errno %d)".formatted(-status);
    };
  }
}
