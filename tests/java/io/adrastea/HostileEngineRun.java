package io.adrastea;

import io.adrastea.atomic.Words;
import io.adrastea.bootstrap.Joining;
import io.adrastea.core.Core;
import io.adrastea.core.CoreProvider;
import io.adrastea.link.Inbound;
import io.adrastea.engine.resources.EngineSettings;
import io.adrastea.error.AdrasteaException;
import io.adrastea.hostile.HostilePeer;
import io.adrastea.hostile.HostileRun;
import io.adrastea.hostile.HostileThread;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.peers.Links;
import io.adrastea.peers.Nodes;
import io.adrastea.queue.MpscQueue;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.BoxSettings;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.ProcessIdentity;
import io.adrastea.segment.Regions;
import io.adrastea.segment.Segment;
import io.adrastea.shared.SharedHeap;
import io.adrastea.transfer.TransferSettings;
import io.adrastea.wait.Gate;
import io.adrastea.wait.WaitPolicy;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A whole rank whose peer sends any cookies for large messages, pieces that do not belong together, and in every other
 * input writes into the segment, too, or does so all the while by a thread of its own. The peer's process, whose memory
 * the rank is told to read and write, is one that waits to be ended.
 */
public final class HostileEngineRun implements HostileRun.Attack {
  private static final int BYTES = 100_000;
  private static final int CELL_BYTES = 512;
  private static final int ROOM = 1 << 21;
  private static final int ACTIONS = 200;
  private static final int TAGS = 4;
  private static final int MOST_PENDING = 20;
  private static final int LEAST_WORDS = 3; // of an RTS
  private static final long CONTROL = 0xFFFF_FFFFL << 32 | CellDescriptor.MATCH_TRANSFER;
  private static final long[] WORDS = {
    0, 1, 2, 3, 4, 7, 8, 63, 64, 4095, 4096, 8192, BYTES, BYTES - 1, BYTES + 1, 1 << 20, 0x0701, 0x0307,
    Integer.MAX_VALUE, 1L << 32, 1L << 40, -1, -8, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 62
  };

  private final CoreProvider provider;
  private final Path directory;
  private final Process bystander;
  private final EngineSettings settings =
      new EngineSettings(new WaitPolicy(1, Optional.empty(), null, 0), TransferSettings.inForce(), true,
          Gate.Threads.IN_TURN, Links.SHARED_MEMORY);
  private final long[] words = new long[40];
  private final MemorySegment cookie = MemorySegment.ofArray(words);
  private final MemorySegment cell = MemorySegment.ofArray(new long[8192]);
  private final Inbound inbound = new Inbound();
  private final MemorySegment[] natives = {Arena.global().allocate(BYTES, 64), Arena.global().allocate(BYTES, 64)};
  private final HostileThread beside; // null: words are spoiled between calls alone

  private SplittableRandom random;
  private Segment segment;
  private Core peer;
  private HostilePeer spoiler;
  private boolean spoils;
  private long region; // of the peer, where in the file
  private long heard; // a number under which the rank knows one of its transfers
  private Job job;
  private MemorySegment shared;
  private final List<Request> pending = new ArrayList<>();

  public HostileEngineRun(CoreProvider provider, Path directory, HostileThread beside) throws IOException {
    this.provider = provider;
    this.beside = beside;
    this.directory = directory;
    this.bystander = new ProcessBuilder("cat").start(); // ends with this process, whose pipe it reads
  }

  @Override
  public void run(long seed) {
    random = new SplittableRandom(seed);
    segment = GivenSegment.blank(directory,
        new Geometry(2, 8, CELL_BYTES, new BoxSettings(64, 256, 1, random.nextInt(2) * 2)));
    spoiler = new HostilePeer(segment, random);
    spoils = random.nextBoolean();
    enterPeer();
    job = new Job(Joining.enter(segment, Nodes.one(segment.geometry().ranks()), 0, provider, 0, () -> true), false,
        settings);
    pending.clear();
    shared = job.allocate(BYTES, 64);
    if (beside != null) {
      expose();
    }
    for (int action = 0; action < ACTIONS; action++) {
      if (random.nextBoolean()) {
        attack();
      } else {
        tried(this::suffer);
      }
    }
    tried(() -> job.fail(""));
    peer.close();
    if (beside != null) {
      beside.hide();
    }
    segment.close();
  }

  /** Exposes also what is to hold copy rings and split words: a region that has room for some. */
  private void expose() {
    job.free(job.allocate(ROOM, 64));
    Regions regions = segment.regions();
    List<MemorySegment> memories = new ArrayList<>();
    for (int index = 0; index < regions.count(); index++) {
      memories.add(regions.memory(regions.get(index)));
    }
    beside.expose(segment, memories);
  }

  /** Rank 1: there before rank 0, as another process. */
  private void enterPeer() {
    long entry = segment.geometry().rankEntryOffset(1);
    MemorySegment memory = segment.memory();
    Words.store(memory, entry + RankEntryDescriptor.PID_OFFSET, (int) bystander.pid());
    Words.storeLong(memory, entry + RankEntryDescriptor.PID_NAMESPACE_OFFSET, ProcessIdentity.namespace());
    Words.store(memory, entry + RankEntryDescriptor.CORE_OFFSET, provider.number());
    MpscQueue.formatFreeQueue(segment, 1);
    peer = provider.open(segment, 1);
    for (int source = 0; segment.geometry().hasAllBoxes() && source < 2; source++) {
      segment.reserveBox(1, source);
      peer.openBox(source);
    }
    SharedHeap heap = new SharedHeap(segment, 1);
    region = heap.offset(heap.allocate(1 << 18, 4096));
    new RankTable(segment).state(1, RankEntryDescriptor.STATE_ATTACHED);
    segment.countAttached();
  }

  // ---- the peer

  private void attack() {
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> control();
      case 3, 4 -> offer();
      case 5 -> piece();
      case 6 -> listen();
      default -> {
        if (spoils) {
          spoiler.spoil();
        } else {
          listen();
        }
      }
    }
  }

  private void anyWords() {
    for (int i = 0; i < words.length; i++) {
      words[i] =
          switch (random.nextInt(8)) {
            case 0 -> random.nextLong();
            case 1 -> region + 64L * random.nextInt(1 << 12);
            default -> WORDS[random.nextInt(WORDS.length)];
          };
    }
  }

  /** A message for a transfer of the rank, or for none. */
  private void control() {
    anyWords();
    if (random.nextInt(4) != 0) {
      words[0] = heard & 0xFFFF_FFFFL | (long) random.nextInt(4) << 32;
    }
    if (random.nextBoolean()) {
      words[1] = 1 + random.nextInt(4) | random.nextInt(5) << 8; // a way and a path
      words[2] = 0;
      words[3] = random.nextInt(4) == 0 ? random.nextInt(BYTES + 2) : BYTES;
      words[4] = region + 4096L * random.nextInt(64);
      words[5] = random.nextBoolean() ? 1L << random.nextInt(10, 20) : words[5]; // a ring
      words[7] = random.nextBoolean() ? 0 : words[7];
      words[8] = random.nextBoolean() ? region : words[8];
      words[9] = words[3];
    }
    int count = random.nextBoolean() ? 10 : 1 + random.nextInt(words.length);
    send(CONTROL | random.nextInt(5), CellDescriptor.KIND_FIRST, (long) Long.BYTES * count, Long.BYTES * count, cookie);
  }

  /** A large message that does not exist. */
  private void offer() {
    anyWords();
    if (random.nextInt(4) != 0) {
      words[0] = BYTES;
      words[1] = random.nextInt(8) << 16 | (long) random.nextInt(1 << 24) << 32;
      words[3] = random.nextBoolean() ? region + random.nextInt(1 << 17) : words[3];
      words[4] = BYTES;
    }
    int bytes = Long.BYTES * (random.nextBoolean() ? 5 : LEAST_WORDS + random.nextInt(12));
    send(random.nextInt(TAGS) | CellDescriptor.MATCH_TRANSFER, CellDescriptor.KIND_FIRST, bytes, bytes, cookie);
  }

  /** A message, or a piece of one. */
  private void piece() {
    int length = random.nextInt(CELL_BYTES);
    int kind = random.nextInt(4) == 0 ? random.nextInt(1, 4) : CellDescriptor.KIND_FIRST;
    long total = random.nextBoolean() ? length : length + random.nextInt(2000);
    send(random.nextInt(TAGS), kind, random.nextInt(20) == 0 ? random.nextLong() >>> 1 : total, length, cell);
  }

  private void send(long match, int kind, long total, int bytes, MemorySegment from) {
    peer.trySend(0, kind, match, total, from, 0, bytes);
  }

  private void listen() {
    int status = peer.poll(-1, inbound);
    if (status == Core.WANTED) {
      peer.refuseBox(inbound.source());
    } else if (status == Core.PIECE) {
      long match = inbound.match();
      int length = inbound.length();
      peer.take(cell, 0, length);
      // An RTS names the sender's number, other messages that of the rank that sent them.
      if ((match & CellDescriptor.MATCH_TRANSFER) != 0) {
        long word = cell.get(ValueLayout.JAVA_LONG, match >>> 32 == 0 ? Long.BYTES : 0);
        heard = match >>> 32 == 0 ? word : word >>> 32;
      }
    }
  }

  // ---- the rank

  private static void tried(Runnable call) {
    try {
      call.run();
    } catch (AdrasteaException e) {
      if (e.getMessage() == null || e.getMessage().isEmpty()) {
        throw new AssertionError("an exception that says nothing", e);
      }
    }
  }

  /** Begins or tries something; nothing here waits. */
  private void suffer() {
    int tag = random.nextInt(TAGS);
    boolean room = pending.size() < MOST_PENDING;
    switch (room ? random.nextInt(10) : random.nextInt(5, 10)) {
      case 0 -> pending.add(job.world().isend(Data.of(new byte[BYTES]), 1, tag));
      case 1 -> pending.add(job.world().irecv(Data.of(new byte[BYTES]), 1, tag));
      case 2 -> pending.add(job.world().isend(memory(), 1, tag));
      case 3 -> pending.add(job.world().irecv(memory(), 1, tag));
      case 4 -> pending.add(job.world().irecv(Data.of(new byte[64]), Communicator.ANY_SOURCE, Communicator.ANY_TAG));
      case 5 -> job.world().iprobe(1, tag);
      case 6 -> inPlace(tag);
      case 7 -> job.world().poll(this::handle, 1 + random.nextInt(40));
      default -> test();
    }
  }

  private MemorySegment memory() {
    return random.nextBoolean() ? shared : natives[random.nextInt(natives.length)];
  }

  private void inPlace(int tag) {
    Message message = job.world().tryRecvMessage(1, tag);
    if (message != null) {
      try (message) {
        read(message);
      }
    }
  }

  private static void read(Message message) {
    if (message.bytes() > 0) {
      message.getByte(0);
      message.getByte(message.bytes() - 1);
    }
  }

  /** Now and then the peer goes on while a message is read, something else is received, or it is given back early. */
  private void handle(Message message) {
    read(message);
    switch (random.nextInt(8)) {
      case 0 -> attack();
      case 1 -> suffer();
      case 2 -> message.release();
      default -> {
      }
    }
  }

  private void test() {
    if (pending.isEmpty()) {
      return;
    }
    int index = random.nextInt(pending.size());
    Request request = pending.remove(index);
    if (!request.test()) {
      pending.add(request);
    }
  }
}
