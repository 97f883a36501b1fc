package io.adrastea.bench.measure;

import io.adrastea.Data;
import io.adrastea.Job;
import java.lang.foreign.MemorySegment;

/** Memory of one kind that grows when asked for more and is kept: no message meets an untouched page. */
abstract class Storage {
  private static final int LINE = 64;
  private static final int PAGE = 4096;

  static Storage of(Memory memory, Job job) {
    return switch (memory) {
      case NATIVE -> new Native();
      case ARRAY -> new Arrays();
      case SHARED -> new Shared(job);
    };
  }

  /** Room for one message. */
  final Payload take(int bytes) {
    return take(1, bytes)[0];
  }

  /** Room for several messages, none of which share a line; earlier ones may overlap these. */
  final Payload[] take(int count, int bytes) {
    long stride = bytes + LINE - 1L & -LINE;
    reserve(Math.max(stride * count, PAGE), bytes);
    Payload[] payloads = new Payload[count];
    for (int i = 0; i < count; i++) {
      payloads[i] = payload(stride * i, bytes);
    }
    return payloads;
  }

  /** Sees to it that so many bytes are there, for messages of {@code each}. */
  abstract void reserve(long total, int each);

  abstract Payload payload(long offset, int bytes);

  private static final class Native extends Storage {
    private final Buffers buffers = new Buffers();
    private MemorySegment all;

    @Override
    void reserve(long total, int each) {
      all = buffers.take(total);
    }

    @Override
    Payload payload(long offset, int bytes) {
      return new Payload.OfSegment(all.asSlice(offset, bytes));
    }
  }

  private static final class Shared extends Storage {
    private final Job job;
    private MemorySegment all;

    Shared(Job job) {
      this.job = job;
    }

    /** The old one first: no message is under way, and /dev/shm may be small. */
    @Override
    void reserve(long total, int each) {
      if (all != null && all.byteSize() >= total) {
        return;
      }
      if (all != null) {
        job.free(all);
        all = null; // stays so when there is no room
      }
      all = job.allocate(total, PAGE).fill((byte) 1);
    }

    @Override
    Payload payload(long offset, int bytes) {
      return new Payload.OfSegment(all.asSlice(offset, bytes));
    }
  }

  /** One array for all messages: a program, too, receives into stretches of a large one. */
  private static final class Arrays extends Storage {
    private double[] doubles = {};
    private byte[] bytes = {};
    private boolean whole;

    @Override
    void reserve(long total, int each) {
      whole = each % Double.BYTES == 0;
      if (whole && doubles.length < total / Double.BYTES) {
        doubles = new double[Math.toIntExact(total / Double.BYTES)];
      } else if (!whole && bytes.length < total) {
        bytes = new byte[Math.toIntExact(total)];
      }
    }

    @Override
    Payload payload(long offset, int length) {
      MemorySegment all = whole ? MemorySegment.ofArray(doubles) : MemorySegment.ofArray(bytes);
      int unit = whole ? Double.BYTES : 1;
      int first = Math.toIntExact(offset / unit);
      Data data = whole ? Data.of(doubles, first, length / unit) : Data.of(bytes, first, length);
      return new Payload.OfArray(data, all.asSlice(offset, length));
    }
  }
}
