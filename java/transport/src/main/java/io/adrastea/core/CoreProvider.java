package io.adrastea.core;

import io.adrastea.segment.Segment;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/** Makes cores of one kind. Found by {@link java.util.ServiceLoader}; one that cannot work says why. */
public interface CoreProvider {
  /** {@code ffm}, {@code jni}, {@code jna} or {@code java}, as {@code adrastea.core} names it. */
  String name();

  /** The number that the rank table holds for it, {@code ADR_CORE_…} in C. */
  int number();

  /** Place in the order of preference; the least is tried first. */
  int preference();

  /** Why this core cannot be used here; empty when it can. */
  Optional<Throwable> unavailabilityCause();

  /** What this core lacks, one phrase each, beside waking ({@link #prepareToWake}); lacking only costs speed. */
  List<String> lacks();

  /** A core for {@code rank} of {@code segment}, whose area that rank has formatted. */
  Core open(Segment segment, int rank);

  /** How this kind of core moves the bytes of large messages. */
  Spaces spaces();

  /**
   * Prepares this process for waking ranks that sleep; whether it can from now on. Called before it joins a job.
   */
  default boolean prepareToWake() {
    return false;
  }

  /**
   * Waits for at most {@code millis} milliseconds until an inherited descriptor can be read, and reads what fits into
   * {@code bytes}, native memory: how many bytes that were; 0: the other end has closed it; or a negative errno value
   * ({@link Core#TIMEDOUT}, {@link Core#NOSYS} where this core cannot).
   */
  default int readDescriptor(int descriptor, MemorySegment bytes, int millis) {
    return Core.NOSYS;
  }

  /** Waits likewise until it can be written, and writes what it takes of {@code bytes}. */
  default int writeDescriptor(int descriptor, MemorySegment bytes, int millis) {
    return Core.NOSYS;
  }

  /** Pins the calling thread to a CPU: 0, or a negative errno value ({@link Core#NOSYS} where it cannot). */
  default int bindThread(int cpu) {
    return Core.NOSYS;
  }
}
