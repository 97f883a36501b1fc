package io.adrastea.core.jna;

import com.sun.jna.Native;
import com.sun.jna.Platform;
import io.adrastea.library.Extracted;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * JNA's own native library, loaded as ours is: extracted, loaded and deleted at once. JNA alone would leave a directory
 * in the user's home.
 */
final class Dispatch {
  private static final String PATH = "jna.boot.library.path";
  private static final String SCRATCH = "jna.tmpdir"; // made when it is not there, even if nothing is put in

  private Dispatch() {}

  /** Loads JNA, unless its user tells it where to look, or its jar has no library for this platform. */
  static void load() {
    String name = System.mapLibraryName("jnidispatch");
    try (InputStream in = Platform.class.getResourceAsStream("/com/sun/jna/" + Platform.RESOURCE_PREFIX + "/" + name)) {
      if (in != null && System.getProperty(PATH) == null) {
        Extracted.with(name, in.readAllBytes(), Dispatch::loadFrom);
      }
    } catch (IOException e) {
      throw (UnsatisfiedLinkError) new UnsatisfiedLinkError("JNA's own library: " + e.getMessage()).initCause(e);
    }
  }

  /** The first load tells whether the directory will do, while JNA can still be sent to another: it tries only once. */
  private static boolean loadFrom(Path file) {
    System.load(file.toString());
    System.setProperty(PATH, file.getParent().toString());
    String before = System.setProperty(SCRATCH, file.getParent().toString());
    try {
      return Native.POINTER_SIZE > 0; // the class loads the library
    } finally {
      System.clearProperty(PATH);
      restore(before);
    }
  }

  private static void restore(String before) {
    if (before == null) {
      System.clearProperty(SCRATCH);
    } else {
      System.setProperty(SCRATCH, before);
    }
  }
}
