package io.adrastea.vectors;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.GivenSegment;
import io.adrastea.atomic.Words;
import io.adrastea.core.Core;
import io.adrastea.core.CoreProvider;
import io.adrastea.link.Inbound;
import io.adrastea.layout.CopyRingDescriptor;
import io.adrastea.queue.Intent;
import io.adrastea.queue.MpscQueue;
import io.adrastea.queue.QueueRepair;
import io.adrastea.segment.BoxSettings;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import io.adrastea.segment.View;
import io.adrastea.symmetric.SymmetricHeap;
import io.adrastea.symmetric.SymmetricScript;
import io.adrastea.lock.LockLook;
import io.adrastea.lock.LockTable;
import io.adrastea.lock.McsLock;
import io.adrastea.window.WindowBlock;
import io.adrastea.window.WindowLock;
import io.adrastea.window.WindowLook;
import io.adrastea.window.WindowStripes;
import io.adrastea.window.WindowSync;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;

/**
 * Replays a script: queue operations on the Java queue, channel operations on a core. Twin of
 * {@code tests/c/vectors_test.c}.
 */
final class Replay implements AutoCloseable {
  private static final long[] NOTHING = {};

  private final CoreProvider provider;
  private final Path directory;
  private final Map<Integer, Core> channels = new HashMap<>();
  private final MemorySegment sentFrom = MemorySegment.ofArray(pattern());
  private final byte[] received = new byte[1 << 16];
  private final Inbound in = new Inbound();
  private Segment segment;
  private MemorySegment memory;
  private View view;
  private List<String> words;
  private MemorySegment[] blocks = {}; // of a window
  private final List<WindowLock> locks = new ArrayList<>(); // of its members
  private final List<McsLock> mcsLocks = new ArrayList<>(); // of PEs
  private final BitSet dead = new BitSet();
  private SymmetricHeap heap;

  Replay(CoreProvider provider, Path directory) {
    this.provider = provider;
    this.directory = directory;
  }

  private static byte[] pattern() {
    byte[] bytes = new byte[1 << 16];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (31 * i + 7);
    }
    return bytes;
  }

  void run(Script script) {
    for (Script.Line line : script.lines()) {
      words = line.words();
      long[] actual = operate();
      long[] wanted =
          line.wanted().stream().mapToLong(word -> Script.value(word, segment.geometry())).toArray();
      assertEquals(
          hex(wanted), hex(actual),
          () -> "%s:%d: %s".formatted(script.file(), line.number(), String.join(" ", line.words())));
    }
  }

  private static String hex(long[] values) {
    StringBuilder text = new StringBuilder();
    for (long value : values) {
      text.append(value < 0 ? Long.toString(value) : "0x" + Long.toHexString(value)).append(' ');
    }
    return text.toString();
  }

  private long argument(int index) {
    return Script.value(words.get(index), segment == null ? null : segment.geometry());
  }

  private int number(int index) {
    return (int) argument(index);
  }

  private long[] operate() {
    return switch (words.getFirst()) {
      case "job" -> job();
      case "format" -> format();
      case "enqueue" -> enqueue(number(1), argument(2), argument(3));
      case "repair" -> repair(argument(1), number(2), argument(3));
      case "dequeue" -> told(MpscQueue.dequeue(view, argument(1)));
      case "peek" -> told(MpscQueue.peek(view, argument(1)));
      case "advance" -> told(MpscQueue.advance(view, argument(1), argument(2)));
      case "swap" -> swap(argument(1), argument(2));
      case "link" -> link(argument(1), argument(2), argument(3));
      case "open" -> open(number(1));
      case "close" -> close(number(1));
      case "send" -> send();
      case "poll" -> poll();
      case "take" -> take(number(2));
      case "release" -> told(channel().release());
      case "retain" -> told(channel().retain());
      case "release-retained" -> told(channel().releaseRetained(number(2), argument(3)));
      case "claim" -> told(channel().claim(number(2), number(3), argument(4), argument(5), argument(6)));
      case "commit" -> told(channel().commit(number(2)));
      case "abort" -> told(channel().abort(number(2)));
      case "burst" -> told(channel().beginBurst(number(2)));
      case "endburst" -> told(channel().endBurst(number(2)));
      case "openbox" -> openBox(number(1), number(2));
      case "refuse" -> told(channel().refuseBox(number(2)));
      case "reclaim" -> told(channel().reclaim());
      case "receive" -> receive();
      case "arrive" -> told(channel().barrierArrive());
      case "wait" -> told(channel().barrierWait(number(2)));
      case "ringput" -> told(provider.spaces().put(ring(), number(3), argument(4), sentFrom, argument(5), argument(6)));
      case "ringtake" -> ringTake();
      case "window" -> window();
      case "exclusive" -> found(lock().tryExclusive(number(2), number(3) != 0, dead::get));
      case "shared" -> found(lock().tryShared(number(2), dead::get));
      case "all" -> found(lock().tryAll(dead::get));
      case "settle" -> found(lock().settle(number(2), dead::get));
      case "unlock-exclusive" -> done(() -> lock().releaseExclusive(number(2)));
      case "unlock-shared" -> done(() -> lock().releaseShared(number(2)));
      case "unlock-all" -> done(() -> lock().releaseAll());
      case "withdraw" -> done(() -> lock().withdraw(number(2)));
      case "withdraw-all" -> done(() -> lock().withdrawAll());
      case "dead" -> done(() -> dead.set(number(1)));
      case "woken" -> woken();
      case "mcs" -> mcs();
      case "mcs-set" -> mcsFound(mcsLock().set(argument(2), dead::get));
      case "mcs-test" -> mcsFound(mcsLock().test(argument(2), dead::get));
      case "mcs-clear" -> mcsFound(mcsLock().clear(argument(2), dead::get));
      case "mcs-withdraw" -> mcsFound(mcsLock().withdraw(argument(2), dead::get));
      case "mcs-woken" -> told(mcsLock().nextWaiter());
      case "stripe" -> told(new WindowStripes(blocks, number(1)).tryAcquire(number(2), number(3), dead::get));
      case "unlock-stripe" -> done(() -> new WindowStripes(blocks, number(1)).release(number(2), number(3)));
      case "post" -> done(() -> sync().post(number(2)));
      case "posted" -> told(sync().hasPosted(number(2), argument(3)) ? 1 : 0);
      case "complete" -> done(() -> sync().complete(number(2)));
      case "completed" -> told(sync().hasCompleted(number(2), argument(3)) ? 1 : 0);
      case "heap" -> heap();
      case "malloc" -> told(heap.malloc(argument(1)));
      case "align" -> allowed(() -> heap.align(argument(1), argument(2)));
      case "realloc" -> allowed(() -> heap.realloc(argument(1), argument(2)));
      case "free" -> free();
      case "undo" -> undo();
      case "bytes-of" -> told(heap.bytesOf(argument(1)));
      case "pages" -> told(heap.came().offset(), heap.came().bytes(), heap.went().offset(), heap.went().bytes());
      case "room" -> told(heap.allocated(), heap.largest());
      case "hash" -> told(heap.hash());
      case "calls" -> told(new SymmetricScript(heap).run(argument(1), argument(2)), heap.hash());
      case "set32" -> set32();
      case "set64" -> set64();
      case "u32" -> told(Integer.toUnsignedLong(Words.load(memory, argument(1))));
      case "u64" -> told(Words.loadLong(memory, argument(1)));
      case "crc" -> told(crc(memory.asSlice(argument(1), argument(2)).asByteBuffer()));
      default -> throw new IllegalArgumentException("no operation '" + words.getFirst() + "'");
    };
  }

  private static long[] told(long... values) {
    return values;
  }

  private long[] job() {
    BoxSettings boxes =
        words.size() > 4 ? new BoxSettings(number(4), number(5), number(6), 0) : GivenSegment.NO_BOXES;
    segment = GivenSegment.blank(directory, new Geometry(number(1), number(2), number(3), boxes));
    memory = segment.memory();
    view = new View(segment);
    return NOTHING;
  }

  private long[] format() {
    MpscQueue.formatFreeQueue(segment, number(1));
    return NOTHING;
  }

  private long[] enqueue(int rank, long queue, long cell) {
    return told(MpscQueue.enqueue(view, queue, Intent.of(segment.geometry(), rank), cell));
  }

  private long[] repair(long queue, int rank, long gone) {
    long[] all = new long[QueueRepair.GONE_WORDS];
    all[0] = gone;
    return told(new QueueRepair(segment, view, rank).repair(queue, all));
  }

  private long[] swap(long queue, long cell) {
    Words.storeRelaxedLong(memory, cell, 0);
    return told(Words.swapAcqRelLong(memory, queue + 8, cell));
  }

  private long[] link(long queue, long previous, long cell) {
    Words.storeReleaseLong(memory, previous == 0 ? queue : previous, cell);
    return NOTHING;
  }

  private Core channel() {
    return channels.get(number(1));
  }

  private long[] open(int rank) {
    channels.put(rank, provider.open(segment, rank));
    return NOTHING;
  }

  private long[] close(int rank) {
    channels.remove(rank).close();
    return NOTHING;
  }

  private long[] openBox(int rank, int source) {
    segment.reserveBox(rank, source);
    return told(channel().openBox(source));
  }

  private long[] send() {
    return told(
        channel().trySend(number(2), number(3), argument(4), argument(5), sentFrom, argument(6), argument(7)));
  }

  private long[] poll() {
    int status = channel().poll(words.size() > 2 ? number(2) : -1, in);
    if (status == Core.WANTED) {
      return told(status, in.source());
    }
    if (status != Core.PIECE) {
      return told(status);
    }
    long[] about = in.words();
    return told(
        status,
        in.source(),
        in.kind(),
        in.match(),
        in.length(),
        in.totalLength(),
        about[Inbound.SEQUENCE],
        about[Inbound.PLACE]);
  }

  private long[] take(int length) {
    int status = channel().take(MemorySegment.ofArray(received), 0, length);
    return told(status, status == 0 ? crc(ByteBuffer.wrap(received, 0, length)) : 0);
  }

  private long[] receive() {
    int length =
        channel()
            .receive(
                argument(2), argument(3), number(4), MemorySegment.ofArray(received), 0, argument(5), 1, in);
    return length < 0
        ? told(length)
        : told(length, in.source(), in.match(), crc(ByteBuffer.wrap(received, 0, length)));
  }

  private MemorySegment ring() {
    return memory.asSlice(argument(1), CopyRingDescriptor.BYTES + argument(2));
  }

  private long[] ringTake() {
    int taken =
        provider.spaces().take(ring(), number(3), argument(4), MemorySegment.ofArray(received), 0, argument(5));
    return told(taken, taken > 0 ? crc(ByteBuffer.wrap(received, 0, taken)) : 0);
  }

  private long[] window() {
    int members = number(2);
    long bytes = WindowBlock.bytes(members);
    blocks = new MemorySegment[members];
    for (int member = 0; member < members; member++) {
      blocks[member] = memory.asSlice(argument(1) + member * bytes, bytes);
    }
    locks.clear();
    dead.clear();
    for (int member = 0; member < members; member++) {
      locks.add(new WindowLock(blocks, member));
    }
    return told(bytes);
  }

  private long[] mcs() {
    int pes = number(3);
    MemorySegment table = memory.asSlice(argument(1), LockTable.bytes());
    MemorySegment symmetric = memory.asSlice(argument(1) + LockTable.bytes(), pes * argument(2));
    mcsLocks.clear();
    dead.clear();
    for (int pe = 0; pe < pes; pe++) {
      mcsLocks.add(new McsLock(symmetric, argument(2), table, pes, pe));
    }
    return told(LockTable.bytes());
  }

  private McsLock mcsLock() {
    return mcsLocks.get(number(1));
  }

  private long[] mcsFound(int look) {
    boolean tells = look != LockLook.ACQUIRED && look != LockLook.RELEASED;
    return tells ? told(look, mcsLock().other()) : told(look);
  }

  private WindowLock lock() {
    return locks.get(number(1));
  }

  private WindowSync sync() {
    return new WindowSync(blocks, number(1));
  }

  private long[] found(int look) {
    return look == WindowLook.ACQUIRED ? told(look) : told(look, lock().other());
  }

  private static long[] done(Runnable call) {
    call.run();
    return NOTHING;
  }

  private long[] woken() {
    LongStream.Builder all = LongStream.builder();
    for (int member = lock().nextWaiter(dead::get); member >= 0; member = lock().nextWaiter(dead::get)) {
      all.add(member);
    }
    return all.build().toArray();
  }

  /** What a call of a heap answers, or what C answers where Java refuses. */
  private static long[] allowed(LongSupplier call) {
    try {
      return told(call.getAsLong());
    } catch (IllegalArgumentException | IllegalStateException _) {
      return told(SymmetricScript.INVALID);
    }
  }

  private long[] heap() {
    return allowed(() -> {
      heap = new SymmetricHeap(argument(1), argument(2));
      return 0;
    });
  }

  private long[] free() {
    return allowed(() -> {
      heap.free(argument(1));
      return 0;
    });
  }

  private long[] undo() {
    return allowed(() -> {
      heap.undo();
      return 0;
    });
  }

  private long[] set32() {
    Words.store(memory, argument(1), number(2));
    return NOTHING;
  }

  private long[] set64() {
    Words.storeLong(memory, argument(1), argument(2));
    return NOTHING;
  }

  private static long crc(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return crc.getValue();
  }

  @Override
  public void close() {
    channels.values().forEach(Core::close);
    if (segment != null) {
      segment.close();
    }
  }
}
