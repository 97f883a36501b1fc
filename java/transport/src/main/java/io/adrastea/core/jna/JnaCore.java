package io.adrastea.core.jna;

import com.sun.jna.FunctionMapper;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import io.adrastea.core.AddressCore;
import io.adrastea.core.LoadedCoreProvider;
import io.adrastea.core.SlotMember;
import io.adrastea.segment.Segment;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.util.Locale;
import java.util.Map;

/**
 * The C core through JNA's direct mapping: each native method becomes the function of {@code adrastea/channel.h} with
 * the same name. Only numbers cross, so JNA makes no object on the way.
 */
final class JnaCore extends AddressCore {
  /** Bound at once, and to itself: the names are not to be found by, or in, other libraries of the process. */
  private static final int RTLD_NOW_LOCAL = 2;

  static {
    Dispatch.load(); // before anything else of JNA
  }

  private static final FunctionMapper NAMES = (library, method) -> symbol(method);

  /** Loaded once, for {@link JnaSpaces} too: its file is gone by then. */
  static final NativeLibrary LIBRARY =
      io.adrastea.library.NativeLibrary.load(
          file -> NativeLibrary.getInstance(
              file.toString(),
              Map.of(Library.OPTION_OPEN_FLAGS, RTLD_NOW_LOCAL, Library.OPTION_FUNCTION_MAPPER, NAMES)));

  static {
    Native.register(JnaCore.class, LIBRARY);
    LoadedCoreProvider.requireSameLayout(adr_layout_checksum());
  }

  private final Segment segment;

  JnaCore(Segment segment, int rank) {
    super(segment, rank, openWithin(segment.memory().address(), segment.memory().byteSize(), rank));
    this.segment = segment;
  }

  /** {@code adr_channel_try_send} for {@code trySend} of this class; a name that is a symbol already stays. */
  private static String symbol(Method method) {
    String name = method.getName();
    Class<?> of = method.getDeclaringClass();
    String prefix = of == JnaCore.class ? "adr_channel_" : of == JnaSlotMember.class ? "adr_coll_" : "adr_";
    return name.startsWith("adr_") ? name : prefix + name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  static native int adr_layout_checksum();

  static native int adr_affinity_bind(int cpu);

  static native int adr_channel_prepare_to_wake();

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
    return new JnaSlotMember(segment, slot, self);
  }
}
