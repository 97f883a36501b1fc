package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.atomic.Words;
import io.adrastea.bootstrap.JoinedRank;
import io.adrastea.bootstrap.Joining;
import io.adrastea.core.Core;
import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.layout.ControlType;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.link.Inbound;
import io.adrastea.peers.Nodes;
import io.adrastea.queue.MpscQueue;
import io.adrastea.ranktable.Capability;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.ProcessIdentity;
import io.adrastea.segment.Segment;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/**
 * Rank 1 of a job of two: its process is another one, its messages come from the test. It can be reached by CMA alone.
 */
public final class FarRank implements AutoCloseable {
  private static final int CELL_BYTES = 4096;
  private static final int ADDRESS_AND_LASTING = 6; // flags of an offered buffer
  private static final long ANYWHERE = 1 << 20;
  private static final long CONTROL = 0xFFFF_FFFFL << 32 | CellDescriptor.MATCH_TRANSFER;
  private static final long PUT_BY_CMA = 2 | io.adrastea.transfer.Path.CMA.ordinal() << 8;

  private final CoreProvider provider;
  private final Process process;
  private final Segment segment;
  private final Core core;

  public FarRank(Path directory, String core) throws IOException {
    this.provider = Cores.choose(core);
    this.process = new ProcessBuilder("cat").start(); // ends with this process, whose pipe it reads
    this.segment = GivenSegment.blank(directory, new Geometry(2, 8, CELL_BYTES, GivenSegment.NO_BOXES));
    this.core = enter();
  }

  private Core enter() {
    long entry = segment.geometry().rankEntryOffset(1);
    Words.store(segment.memory(), entry + RankEntryDescriptor.PID_OFFSET, (int) process.pid());
    Words.storeLong(segment.memory(), entry + RankEntryDescriptor.PID_NAMESPACE_OFFSET, ProcessIdentity.namespace());
    Words.store(segment.memory(), entry + RankEntryDescriptor.CAPABILITIES_OFFSET,
        Capability.bits(Capability.MATCHING, Capability.RENDEZVOUS, Capability.ACTIVE));
    MpscQueue.formatFreeQueue(segment, 1);
    Core opened = provider.open(segment, 1);
    new RankTable(segment).state(1, RankEntryDescriptor.STATE_ATTACHED);
    segment.countAttached();
    return opened;
  }

  /** It can do no more than that; to be called before {@link #other}. */
  public void can(Capability... capabilities) {
    long entry = segment.geometry().rankEntryOffset(1);
    Words.store(segment.memory(), entry + RankEntryDescriptor.CAPABILITIES_OFFSET, Capability.bits(capabilities));
  }

  /** Rank 0 of its job, which empties its queue as it comes. */
  public Job other(AlteredRank.Change spaces) {
    JoinedRank joined = Joining.enter(segment, Nodes.one(segment.geometry().ranks()), 0, provider, 0, () -> true);
    return AlteredRank.job(joined, false, AlteredRank.NONE, spaces);
  }

  /** Offers a message that lies in its memory. */
  public void offer(int bytes, int tag) {
    int paths = io.adrastea.transfer.Path.CMA.bit();
    long offers = ADDRESS_AND_LASTING | paths << 8 | paths << 16;
    send(tag | CellDescriptor.MATCH_TRANSFER, bytes, offers << Integer.SIZE, 0, ANYWHERE, bytes);
  }

  /** Waits until a message is offered to it; returns its number. */
  public long await() {
    Inbound inbound = new Inbound();
    while (core.poll(-1, inbound) != Core.PIECE) { // the class has a deadline
      Thread.onSpinWait();
    }
    long id = Words.loadLong(segment.memory(), inbound.payload() + Long.BYTES) & 0xFFFF_FFFFL;
    assertEquals(0, core.release());
    return id;
  }

  /** Has the sender of a message that was offered to it write that to its memory. */
  public void ask(long id, int bytes) {
    tell(ControlType.CTS.number(), id, PUT_BY_CMA, 0, bytes, 0, 0, 0, 0, ANYWHERE, bytes);
  }

  /** Sends a control message. */
  public void tell(int type, long... words) {
    send(CONTROL | type, words);
  }

  /** Sends a message of so many words. */
  public void send(long match, long... words) {
    sendPiece(CellDescriptor.KIND_FIRST, match, words.length * (long) Long.BYTES, words);
  }

  /** Sends a piece of so many words of a message of {@code total} bytes. */
  public void sendPiece(int kind, long match, long total, long... words) {
    MemorySegment cookie = Arena.ofAuto().allocate(words.length * (long) Long.BYTES, Long.BYTES);
    MemorySegment.copy(words, 0, cookie, ValueLayout.JAVA_LONG, 0, words.length);
    int bytes = words.length * Long.BYTES;
    assertEquals(bytes, core.trySend(0, kind, match, total, cookie, 0, bytes));
  }

  /** It leaves the job in order, though its process goes on. */
  public void leave() {
    new RankTable(segment).depart(1, RankEntryDescriptor.STATE_LEFT);
  }

  /** Its process ends. */
  public void die() {
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Its process has ended, and its number is that of another one, which has begun since. */
  public void dieAndBeFollowed() {
    long entry = segment.geometry().rankEntryOffset(1);
    Words.storeLong(segment.memory(), entry + RankEntryDescriptor.START_TIME_OFFSET, 1);
  }

  @Override
  public void close() {
    core.close();
    segment.close();
    die();
  }
}
