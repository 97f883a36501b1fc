package io.adrastea.core.ffm;

import io.adrastea.core.Core;
import io.adrastea.core.LoadedCoreProvider;
import io.adrastea.core.Spaces;
import io.adrastea.segment.Segment;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The C core through {@code java.lang.foreign}. */
public final class FfmCoreProvider extends LoadedCoreProvider {
  @Override
  public String name() {
    return "ffm";
  }

  @Override
  public int number() {
    return 2;
  }

  @Override
  public int preference() {
    return 10;
  }

  @Override
  protected void load() throws ClassNotFoundException {
    Class.forName(Native.class.getName());
  }

  @Override
  public List<String> lacks() {
    return List.of();
  }

  @Override
  public Core open(Segment segment, int rank) {
    return new FfmCore(segment, rank);
  }

  @Override
  public Spaces spaces() {
    return FfmSpaces.INSTANCE;
  }

  @Override
  public boolean prepareToWake() {
    try {
      return (int) Native.PREPARE_TO_WAKE.invokeExact() == 0;
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int readDescriptor(int descriptor, MemorySegment bytes, int millis) {
    try {
      return (int) Native.DESCRIPTOR_READ.handle().invokeExact(descriptor, bytes, (int) bytes.byteSize(), millis);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int writeDescriptor(int descriptor, MemorySegment bytes, int millis) {
    try {
      return (int) Native.DESCRIPTOR_WRITE.handle().invokeExact(descriptor, bytes, (int) bytes.byteSize(), millis);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int bindThread(int cpu) {
    try {
      return (int) Native.AFFINITY_BIND.handle().invokeExact(cpu);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }
}
