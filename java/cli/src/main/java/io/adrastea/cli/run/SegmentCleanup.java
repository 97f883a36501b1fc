package io.adrastea.cli.run;

import io.adrastea.segment.SegmentFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Removes the segment file of a job whose ranks ended before all of them had attached to it. */
final class SegmentCleanup implements Runnable {
  private final Path file;

  /** For the job of this id, 16 hex digits, in the directory in force. */
  SegmentCleanup(String job) {
    file = SegmentFile.path(SegmentFile.directory(), Long.parseUnsignedLong(job, 16));
  }

  /** Name of the file. */
  String name() {
    return file.getFileName().toString();
  }

  /** The file. */
  Path file() {
    return file;
  }

  @Override
  public void run() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      System.err.println("adrastea: cannot remove " + file + ": " + SegmentFile.reason(e));
    }
  }
}
