package io.adrastea.bench.worker;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * Two of Agrona's ring buffers, one for each direction, in mapped files. A ring is as large as its messages need, so
 * that small ones stay in the cache. Short messages are written in the ring, all touched ones are read there.
 */
final class RingLink implements Link {
  private static final int MIN_CAPACITY = 1 << 16;
  private static final int MESSAGES = 16; // a ring takes messages up to an eighth of its capacity
  private static final int TYPE = 1;

  private final Path directory;
  private final int side;
  private final MessageHandler handler = this::take;
  private final Map<Path, RingBuffer> rings = new HashMap<>();
  private Contents contents;
  private UnsafeBuffer[] outgoing;
  private RingBuffer to;
  private RingBuffer from;

  RingLink(Path directory, int side) {
    this.directory = directory;
    this.side = side;
  }

  @Override
  public void prepare(Contents contents) throws IOException {
    this.contents = contents;
    outgoing = views(contents);
    int capacity = capacity(outgoing[0].capacity());
    to = ring("to" + (1 - side), capacity);
    from = ring("to" + side, capacity);
  }

  /** What messages are sent from. */
  static UnsafeBuffer[] views(Contents contents) {
    UnsafeBuffer[] views = new UnsafeBuffer[contents.turns()];
    Arrays.setAll(views, turn -> new UnsafeBuffer(contents.outgoing(turn)));
    return views;
  }

  static int capacity(int bytes) {
    int least = Math.max(MIN_CAPACITY, bytes * MESSAGES);
    return Integer.highestOneBit(2 * least - 1);
  }

  private RingBuffer ring(String name, int capacity) throws IOException {
    Path file = directory.resolve(name + "-" + capacity);
    RingBuffer known = rings.get(file);
    if (known == null) {
      rings.put(file, known = map(file, capacity));
    }
    return known;
  }

  /** Both sides do the same; a file of zeros is an empty ring. */
  private static RingBuffer map(Path path, int capacity) throws IOException {
    long length = capacity + RingBufferDescriptor.TRAILER_LENGTH;
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(length);
      ByteBuffer map = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, length);
      return new OneToOneRingBuffer(new UnsafeBuffer(map));
    }
  }

  @Override
  public void send(int bytes) {
    if (contents.inPlace()) {
      claim(bytes);
      return;
    }
    UnsafeBuffer message = outgoing[contents.write()];
    for (int spins = 0; !to.write(TYPE, message, 0, bytes);) {
      spins = Meeting.idle(spins);
    }
  }

  private void claim(int bytes) {
    int index = to.tryClaim(TYPE, bytes);
    for (int spins = 0; index < 0; index = to.tryClaim(TYPE, bytes)) {
      spins = Meeting.idle(spins);
    }
    contents.write(to.buffer(), index);
    to.commit(index);
  }

  @Override
  public void receive(int bytes, int count) {
    int spins = 0;
    for (int got = 0; got < count;) {
      int read = from.read(handler, count - got);
      got += read;
      spins = read > 0 ? 0 : Meeting.idle(spins);
    }
  }

  private void take(int type, MutableDirectBuffer buffer, int index, int length) {
    contents.take(buffer, index, length);
  }

  @Override
  public void close() {
    // The mappings end with the process.
  }
}
