package io.adrastea.core.jni;

import io.adrastea.core.AddressCore;
import io.adrastea.core.LoadedCoreProvider;
import io.adrastea.core.SlotMember;
import io.adrastea.library.NativeLibrary;
import io.adrastea.segment.Segment;
import java.lang.foreign.MemorySegment;

/**
 * The C core through JNI. Twin of {@code native/jni/adr_jni.c}: same functions, same order, each handed on to the one
 * of {@code
 * adrastea/channel.h} with the same name.
 *
 * <p>
 * An array's own memory ({@code GetPrimitiveArrayCritical}) is not asked for: measured, that costs more than a copy of
 * up to 4 KiB, and as much at 8 KiB.
 */
final class JniCore extends AddressCore {
  static {
    NativeLibrary.load(
        file -> {
          System.load(file.toString());
          return file;
        });
    LoadedCoreProvider.requireSameLayout(checksum());
  }

  private final Segment segment;

  JniCore(Segment segment, int rank) {
    super(segment, rank, openWithin(segment.memory().address(), segment.memory().byteSize(), rank));
    this.segment = segment;
  }

  private static int checksum() {
    try {
      return layoutChecksum();
    } catch (UnsatisfiedLinkError e) {
      String message =
          "the native library was built without the functions of this core, since no jni.h was found;"
              + " build it with JAVA_HOME set to a JDK";
      throw (UnsatisfiedLinkError) new UnsatisfiedLinkError(message).initCause(e);
    }
  }

  static native int layoutChecksum();

  static native int bindThread(int cpu);

  static native int prepareToWake();

  private static native long openWithin(long base, long bytes, int rank);

  // What AddressCore asks for, in its order: the class would not compile without any of them.
  protected native void close(long channel);
  protected native int trySend(
      long channel, int destination, int kind, long match, long totalLength, long source, long offset, long length);
  protected native int trySendElements(
      long channel, int destination, long match, long program, long memory, long offset, long count, long length);
  protected native long claim(long channel, int destination, int kind, long match, long totalLength, long length);
  protected native int commit(long channel, int destination);
  protected native int abort(long channel, int destination);
  protected native int beginBurst(long channel, int destination);
  protected native int endBurst(long channel, int destination);
  protected native int poll(long channel, int first, long inbound);
  protected native int pollBatch(long channel, int first, long inbound, int most);
  protected native int release(long channel);
  protected native int releaseBatch(long channel, int count, int more);

  @Override
  protected native int way(long channel, int destination, long length);
  protected native int retain(long channel);
  protected native int releaseRetained(long channel, int source, long place);
  protected native int receive(
      long channel, long match, long mask, int source, long destination, long offset, long capacity, int spins,
      long inbound);
  protected native int receiveElements(
      long channel, long match, long mask, int source, long program, long memory, long offset, long count,
      long capacity, int spins, long inbound);
  protected native int openBox(long channel, int source);
  protected native int refuseBox(long channel, int source);
  protected native int reclaim(long channel);
  protected native int barrierArrive(long channel);
  protected native int barrierWait(long channel, int spins);
  protected native int enableSenderFence(long channel);
  protected native long announceSleep(long channel);
  protected native int sleep(long base, int rank, long word, long nanos);
  protected native int giveWay(long base, int rank, long now);

  @Override
  protected native int worksUntil(long base, int rank, long time);

  @Override
  protected native int wasGivenWay(long base, int rank, int ranks, long since);

  @Override
  protected native int avoidSharedCpu(long base, int rank, int other);
  protected native int endSleep(long channel);
  protected native int wake(long channel, int rank);

  @Override
  public SlotMember slotMember(MemorySegment slot, int self) {
    return new JniSlotMember(segment, slot, self);
  }
}
