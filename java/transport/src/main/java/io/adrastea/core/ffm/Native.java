package io.adrastea.core.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.adrastea.core.LoadedCoreProvider;
import io.adrastea.library.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * The functions of the C core as method handles: those of {@code adrastea/channel.h} that every rank calls, and those
 * of {@code adrastea/space.h}. All use of {@link Linker} is here.
 *
 * <p>
 * To link a function of a new type takes the JVM 5 to 40 ms, in which it makes classes, and keeps its compilers from
 * the first messages of the program. So a rank links what it needs. The rest of the channel is in
 * {@link NativeInPlace}, what moves large messages and datatypes in {@link NativeCopies}, and what is called seldom, or
 * takes long anyway, is a {@link LateFunction}.
 *
 * <p>
 * The functions of the fast path are critical calls: short, never waiting, at most one cell copied, heap arrays handed
 * over without a copy. A {@code …_PIECE} is a critical call too, for at most 64 KiB, which may lie in arrays; the same
 * function without it is an ordinary call, for any number of bytes of native memory, during which the JVM can stop its
 * threads. Buffers cross as segments, which keeps them alive and their arenas open during the call; everything else as
 * numbers.
 */
final class Native {
  static final Linker.Option CRITICAL = Linker.Option.critical(true);
  static final FunctionDescriptor TRANSFERS =
      FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);
  private static final FunctionDescriptor VECTORS =
      FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup LOOKUP =
      NativeLibrary.load(file -> SymbolLookup.libraryLookup(file, Arena.global()));

  static final MethodHandle CHANNEL_OPEN =
      bind("adr_channel_open_within", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT));
  static final MethodHandle CHANNEL_CLOSE = bind("adr_channel_close", FunctionDescriptor.ofVoid(JAVA_LONG));
  static final MethodHandle TRY_SEND =
      critical(
          "adr_channel_try_send", JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);
  static final MethodHandle POLL = critical("adr_channel_poll", JAVA_LONG, JAVA_INT, JAVA_LONG);
  static final MethodHandle TAKE = critical("adr_channel_take", JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);
  static final MethodHandle RELEASE = critical("adr_channel_release", JAVA_LONG);
  static final MethodHandle RECEIVE =
      critical(
          "adr_channel_receive",
          JAVA_LONG,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_INT,
          ADDRESS,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_INT,
          JAVA_LONG);
  static final LateFunction WAY =
      late("adr_channel_way", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
  static final MethodHandle OPEN_BOX = critical("adr_channel_open_box", JAVA_LONG, JAVA_INT);
  static final MethodHandle REFUSE_BOX = critical("adr_channel_refuse_box", JAVA_LONG, JAVA_INT);
  static final LateFunction RECLAIM = late("adr_channel_reclaim", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
  static final MethodHandle BARRIER_ARRIVE = critical("adr_channel_barrier_arrive", JAVA_LONG);
  static final MethodHandle BARRIER_WAIT = critical("adr_channel_barrier_wait", JAVA_LONG, JAVA_INT);
  static final MethodHandle PREPARE_TO_WAKE = bind("adr_channel_prepare_to_wake", FunctionDescriptor.of(JAVA_INT));
  static final LateFunction ENABLE_SENDER_FENCE =
      late("adr_channel_enable_sender_fence", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
  static final MethodHandle ANNOUNCE_SLEEP =
      bind("adr_channel_announce_sleep", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG), CRITICAL);
  // The next two are no critical calls: the one waits, the other makes system calls.
  static final MethodHandle SLEEP =
      bind("adr_channel_sleep", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
  static final MethodHandle GIVE_WAY =
      bind("adr_channel_give_way", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
  static final MethodHandle WORKS_UNTIL = critical("adr_channel_works_until", JAVA_LONG, JAVA_INT, JAVA_LONG);
  static final MethodHandle WAS_GIVEN_WAY =
      critical("adr_channel_was_given_way", JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG);
  static final MethodHandle AVOID_SHARED_CPU =
      bind("adr_channel_avoid_shared_cpu", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT));
  static final MethodHandle END_SLEEP = critical("adr_channel_end_sleep", JAVA_LONG);
  static final MethodHandle WAKE = critical("adr_channel_wake", JAVA_LONG, JAVA_INT);
  static final MethodHandle LAYOUT_CHECKSUM = bind("adr_layout_checksum", FunctionDescriptor.of(JAVA_INT));
  static final LateFunction DESCRIPTOR_READ =
      late("adr_descriptor_read", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
  static final LateFunction DESCRIPTOR_WRITE =
      late("adr_descriptor_write", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
  static final LateFunction AFFINITY_BIND = late("adr_affinity_bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  static final LateFunction COPY_DESCRIBE =
      late("adr_copy_describe", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  static final LateFunction CMA_READ = late("adr_cma_read", TRANSFERS);
  static final LateFunction CMA_WRITE = late("adr_cma_write", TRANSFERS);
  static final LateFunction CMA_READ_VECTOR = late("adr_cma_read_vector", VECTORS);
  static final LateFunction CMA_WRITE_VECTOR = late("adr_cma_write_vector", VECTORS);
  static final LateFunction CMA_ALLOW = late("adr_cma_allow", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  static final LateFunction XPMEM_STATUS = late("adr_xpmem_status", FunctionDescriptor.of(JAVA_INT));
  static final LateFunction XPMEM_EXPORT = late("adr_xpmem_export", FunctionDescriptor.of(JAVA_LONG));
  static final LateFunction XPMEM_REACH =
      late("adr_xpmem_reach", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
  static final LateFunction XPMEM_UNREACH =
      late("adr_xpmem_unreach", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
  static final LateFunction HUGE_ADVISE =
      late("adr_huge_advise", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
  static final LateFunction PAGES_RELEASE =
      late("adr_pages_release", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));

  static {
    requireSameLayout();
  }

  private Native() {}

  static MethodHandle bind(String name, FunctionDescriptor type, Linker.Option... options) {
    return link(find(name), type, options);
  }

  static MethodHandle link(MemorySegment function, FunctionDescriptor type, Linker.Option... options) {
    return LINKER.downcallHandle(function, type, options);
  }

  private static MemorySegment find(String name) {
    return LOOKUP.find(name)
        .orElseThrow(() -> new UnsatisfiedLinkError("the native library has no function " + name));
  }

  static LateFunction late(String name, FunctionDescriptor type) {
    return new LateFunction(find(name), type);
  }

  static MethodHandle critical(String name, MemoryLayout... arguments) {
    return bind(name, FunctionDescriptor.of(JAVA_INT, arguments), CRITICAL);
  }

  private static void requireSameLayout() {
    try {
      LoadedCoreProvider.requireSameLayout((int) LAYOUT_CHECKSUM.invokeExact());
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /**
   * What {@code invokeExact} declares to throw, as what it can throw: hands on runtime exceptions (a closed arena, a
   * wrong thread) and errors; our calls declare nothing else.
   */
  static AssertionError unchecked(Throwable thrown) {
    if (thrown instanceof RuntimeException exception) {
      throw exception;
    }
    if (thrown instanceof Error error) {
      throw error;
    }
    return new AssertionError(thrown);
  }
}
