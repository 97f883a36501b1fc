package io.adrastea.shared;

import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import io.adrastea.segment.SegmentFile;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A segment's file that is mapped a second time, as by another rank, which reaches what the first has there. */
abstract class MappedTwice {
  static final int REGION = 256 << 10;

  private static final long JOB = 0x99;
  static final Geometry GEOMETRY = new Geometry(2, 4, 64);

  @TempDir
  Path directory;
  Segment segment;
  Segment second;
  SharedHeap heap;
  SharedReach reach;

  @BeforeEach
  void create() {
    Path path = SegmentFile.path(directory, JOB, 0);
    segment = Segment.create(path, GEOMETRY, JOB);
    segment.reserveArea(0);
    segment.reserveArea(1);
    second = Segment.attach(path, 2, JOB).orElseThrow();
    heap = new SharedHeap(segment, 0);
    reach = new SharedReach(second);
  }

  @AfterEach
  void close() {
    segment.unlink();
    segment.close();
    second.close();
  }
}
