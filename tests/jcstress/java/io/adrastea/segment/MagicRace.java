package io.adrastea.segment;

import io.adrastea.error.SegmentException;
import io.adrastea.layout.SlotDescriptor;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** SYNC segment-magic: a header that looks complete is. */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "not complete yet: attaching waits")
@Outcome(id = "5", expect = Expect.ACCEPTABLE, desc = "complete: cells of the geometry it was made with")
@Outcome(
    id = "-1",
    expect = Expect.FORBIDDEN,
    desc = "magic without the fields before it: attaching would refuse a good segment")
@State
public class MagicRace {
  private static final Geometry GEOMETRY = new Geometry(2, 5, 64);
  private static final Path NAME = Path.of("race");
  private static final long JOB = 11;

  private final MemorySegment header = // and the slot of all ranks, which is written with it
      GivenView.memory(GEOMETRY.worldSlotOffset() + SlotDescriptor.bytes(GEOMETRY.ranks()));

  @Actor
  public void create() {
    SegmentHeader.write(header, GEOMETRY, JOB);
  }

  @Actor
  public void attach(I_Result found) {
    found.r1 = SegmentHeader.isComplete(header) ? cells() : 0;
  }

  private int cells() {
    try {
      return SegmentHeader.read(NAME, header, GEOMETRY.ranks(), JOB).cells();
    } catch (SegmentException e) {
      return -1;
    }
  }
}
