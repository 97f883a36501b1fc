package io.adrastea.hostile;

import io.adrastea.GivenSegment;
import io.adrastea.core.Batch;
import io.adrastea.core.Core;
import io.adrastea.core.CoreProvider;
import io.adrastea.link.Inbound;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.message.Calls;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.BoxSettings;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A core whose peers write whatever they like, between its calls or also while it is in them: one input is a series of
 * calls and of words spoiled, each on a job as new.
 */
final class HostileCoreRun implements HostileRun.Attack {
  private static final int RANKS = 3;
  private static final int CELLS = 6;
  private static final int PAYLOAD = 64;
  private static final int LONGEST = 1200;
  private static final int STEPS = 60;
  private static final int LOOKS = 3;
  private static final int HELD = 4;
  private static final Set<Integer> REFUSALS =
      Set.of(Core.AGAIN, Core.NOMSG, Core.GONE, Core.CORRUPT, Core.INVAL, Core.BUSY, Core.MSGSIZE);

  private final CoreProvider provider;
  private final Segment[] segments;
  private final byte[][] pristine;
  private final MemorySegment buffer = MemorySegment.ofArray(new byte[1 << 16]);
  private final Inbound inbound = new Inbound();
  private final Batch batch = new Batch();
  private final Inbound[] held = new Inbound[HELD];
  private final HostileThread beside; // null: words are spoiled between calls alone

  private Segment segment;
  private SplittableRandom random;
  private HostilePeer peer;
  private Core self;
  private Core other;

  HostileCoreRun(CoreProvider provider, Path directory, HostileThread beside) {
    this.provider = provider;
    this.beside = beside;
    this.segments =
        new Segment[] {made(directory, GivenSegment.NO_BOXES), made(directory, new BoxSettings(64, 1024, 1, 0))};
    this.pristine = new byte[segments.length][];
    for (int i = 0; i < segments.length; i++) {
      pristine[i] = segments[i].memory().toArray(ValueLayout.JAVA_BYTE);
    }
  }

  private static Segment made(Path directory, BoxSettings boxes) {
    Segment segment = GivenSegment.formatted(directory, new Geometry(RANKS, CELLS, PAYLOAD, boxes));
    RankTable table = new RankTable(segment);
    for (int rank = 0; rank < RANKS; rank++) {
      table.state(rank, RankEntryDescriptor.STATE_ATTACHED);
    }
    return segment;
  }

  @Override
  public void run(long seed) {
    random = new SplittableRandom(seed);
    int which = random.nextInt(segments.length);
    segment = segments[which];
    MemorySegment.copy(pristine[which], 0, segment.memory(), ValueLayout.JAVA_BYTE, 0, pristine[which].length);
    peer = new HostilePeer(segment, random);
    for (int i = 0; i < HELD; i++) {
      held[i] = new Inbound();
    }
    self = provider.open(segment, 0);
    other = provider.open(segment, 1);
    for (int source = 0; which == 1 && source < RANKS; source++) {
      known(self.openBox(source));
      known(other.openBox(source));
    }
    if (beside != null) {
      beside.expose(segment, List.of());
    }
    for (int step = 0; step < STEPS; step++) {
      step();
    }
    self.close();
    other.close();
    if (beside != null) {
      beside.hide();
    }
  }

  /** A number that a core may return: nothing of what is inside. */
  private static long known(long status) {
    if (status < 0 && !REFUSALS.contains((int) status)) {
      throw new AssertionError("a status that no core call has: " + status);
    }
    return status;
  }

  private void requireInside(long offset, long length) {
    if (offset <= 0 || length < 0 || length > segment.memory().byteSize() - offset) {
      throw new AssertionError("%d bytes at %d do not lie in the segment".formatted(length, offset));
    }
  }

  private boolean poll(Core core) {
    long status = known(core.poll(random.nextInt(-1, RANKS), inbound));
    if (status == Core.WANTED) {
      known(core.openBox(inbound.source()));
    }
    if (status != Core.PIECE) {
      return false;
    }
    requireInside(inbound.payload(), inbound.length());
    if (inbound.source() < 0 || inbound.source() >= RANKS || inbound.totalLength() < inbound.length()) {
      throw new AssertionError("a piece that cannot be: " + java.util.Arrays.toString(inbound.words()));
    }
    return true;
  }

  private void pollBatch() {
    int found = (int) known(self.pollBatch(random.nextInt(-1, RANKS), batch));
    if (found < 0) {
      return;
    }
    if (found == 0) {
      known(self.openBox((int) batch.words()[Inbound.SOURCE]));
      return;
    }
    batch.begin(found, (int) batch.words()[Inbound.SOURCE], segment.memory());
    do {
      requireInside(batch.payload(), batch.length());
      if (batch.source() < 0 || batch.source() >= RANKS) {
        throw new AssertionError("a batch that cannot be: " + java.util.Arrays.toString(batch.words()));
      }
    } while (batch.pass());
    known(self.releaseBatch(random.nextInt(found + 2), random.nextBoolean()));
  }

  private void take(Core core) {
    if (poll(core)) {
      known(core.take(buffer, 0, inbound.length()));
    }
  }

  private void hold() {
    if (poll(self) && known(self.retain()) == 0) {
      System.arraycopy(inbound.words(), 0, held[random.nextInt(HELD)].words(), 0, inbound.words().length);
    }
  }

  private void give() {
    Inbound given = held[random.nextInt(HELD)];
    known(self.releaseRetained(given.source(), given.place() + 8L * random.nextInt(2)));
  }

  private void receive() {
    int capacity = random.nextInt(LONGEST);
    long mask = random.nextBoolean() ? -1 : 0;
    long got = known(self.receive(1, mask, random.nextInt(-1, RANKS + 1), buffer, 0, capacity, LOOKS, inbound));
    if (got > capacity) {
      throw new AssertionError("more than fits: " + got);
    }
  }

  private void send(Core core) {
    int length = random.nextInt(random.nextBoolean() ? 60 : LONGEST);
    int kind = random.nextInt(CellDescriptor.KIND_FIRST, CellDescriptor.KIND_ABORT + 1);
    long total = length + random.nextInt(2) * 100L;
    known(core.trySend(random.nextInt(RANKS + 1), kind, 1, total, buffer, 0, length));
  }

  private void claim() {
    int length = random.nextInt(random.nextBoolean() ? 60 : LONGEST);
    long at = known(self.claim(random.nextInt(RANKS), CellDescriptor.KIND_FIRST, 1, length, length));
    if (at >= 0) {
      requireInside(at, length);
      segment.memory().asSlice(at, length).fill((byte) 0x5a);
    }
  }

  /** Calls one of the methods that have a rank for their only argument, or no argument. */
  private void call() {
    int rank = random.nextInt(RANKS + 1);
    switch (random.nextInt(11)) {
      case 0 -> known(self.commit(rank));
      case 1 -> known(self.abort(rank));
      case 2 -> known(self.beginBurst(rank));
      case 3 -> known(self.endBurst(rank));
      case 4 -> known(self.openBox(rank));
      case 5 -> known(self.refuseBox(rank));
      case 6 -> known(self.barrierArrive());
      case 7 -> known(self.barrierWait(LOOKS));
      case 8 -> self.sleeper().announceSleep();
      case 9 -> self.sleeper().endSleep();
      default -> self.sleeper().wake(rank);
    }
  }

  private void step() {
    switch (random.nextInt(15)) {
      case 0 -> poll(self);
      case 1 -> take(self);
      case 2 -> known(self.release());
      case 3 -> hold();
      case 4 -> give();
      case 5 -> receive();
      case 6 -> send(self);
      case 7 -> claim();
      case 8 -> call();
      case 9 -> known(self.reclaim());
      case 10 -> send(other);
      case 11 -> take(other);
      case 12 -> pollBatch();
      default -> peer.spoil();
    }
  }
}
