package io.adrastea.core;

import io.adrastea.layout.LayoutDump;
import java.util.Optional;

/** A provider whose core needs something loaded first; what came of it is found out once, when somebody asks. */
public abstract class LoadedCoreProvider implements CoreProvider {
  private Optional<Throwable> cause;

  /**
   * Loads what the core needs.
   *
   * @throws LinkageError when it cannot be had; the message says why
   * @throws ClassNotFoundException likewise
   */
  protected abstract void load() throws ClassNotFoundException;

  /**
   * Refuses a library built from other sources: it would read other bytes.
   *
   * @param crc what {@code adr_layout_checksum} gives
   */
  public static void requireSameLayout(int crc) {
    if (crc != LayoutDump.CRC) {
      throw new UnsatisfiedLinkError(
          "the native library has layout CRC 0x%08x, this jar 0x%08x; they are of different versions"
              .formatted(crc, LayoutDump.CRC));
    }
  }

  @Override
  public final synchronized Optional<Throwable> unavailabilityCause() {
    if (cause == null) {
      cause = tryLoad();
    }
    return cause;
  }

  private Optional<Throwable> tryLoad() {
    try {
      load();
      return Optional.empty();
    } catch (ExceptionInInitializerError e) {
      return Optional.of(e.getCause());
    } catch (ClassNotFoundException | LinkageError | RuntimeException e) {
      return Optional.of(e);
    }
  }
}
