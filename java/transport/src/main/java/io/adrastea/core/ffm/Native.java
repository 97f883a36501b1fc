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
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * The functions of the C core as method handles: those of {@code adrastea/channel.h}, and of {@code adrastea/space.h}
 * what a rank asks before it has a large message; the rest of that, {@code adrastea/copy.h} and {@code adrastea/ring.h}
 * are in {@link NativeCopies}. All use of {@link Linker} is here.
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
  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup LOOKUP =
      NativeLibrary.load(file -> SymbolLookup.libraryLookup(file, Arena.global()));

  static final MethodHandle CHANNEL_OPEN =
      bind("adr_channel_open_within", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT));
  static final MethodHandle CHANNEL_CLOSE = bind("adr_channel_close", FunctionDescriptor.ofVoid(JAVA_LONG));
  static final MethodHandle TRY_SEND =
      critical(
          "adr_channel_try_send", JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);
  static final MethodHandle CLAIM =
      bind(
          "adr_channel_claim",
          FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG),
          CRITICAL);
  static final MethodHandle COMMIT = critical("adr_channel_commit", JAVA_LONG, JAVA_INT);
  static final MethodHandle ABORT = critical("adr_channel_abort", JAVA_LONG, JAVA_INT);
  static final MethodHandle BEGIN_BURST = critical("adr_channel_begin_burst", JAVA_LONG, JAVA_INT);
  static final MethodHandle END_BURST = critical("adr_channel_end_burst", JAVA_LONG, JAVA_INT);
  static final MethodHandle POLL = critical("adr_channel_poll", JAVA_LONG, JAVA_INT, JAVA_LONG);
  static final MethodHandle POLL_BATCH =
      critical("adr_channel_poll_batch", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT);
  static final MethodHandle TAKE = critical("adr_channel_take", JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);
  static final MethodHandle RELEASE = critical("adr_channel_release", JAVA_LONG);
  static final MethodHandle RELEASE_BATCH = critical("adr_channel_release_batch", JAVA_LONG, JAVA_INT, JAVA_INT);
  static final MethodHandle RETAIN = critical("adr_channel_retain", JAVA_LONG);
  static final MethodHandle RELEASE_RETAINED = critical("adr_channel_release_retained", JAVA_LONG, JAVA_INT, JAVA_LONG);
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
  static final MethodHandle OPEN_BOX = critical("adr_channel_open_box", JAVA_LONG, JAVA_INT);
  static final MethodHandle REFUSE_BOX = critical("adr_channel_refuse_box", JAVA_LONG, JAVA_INT);
  static final MethodHandle RECLAIM = bind("adr_channel_reclaim", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
  static final MethodHandle BARRIER_ARRIVE = critical("adr_channel_barrier_arrive", JAVA_LONG);
  static final MethodHandle BARRIER_WAIT = critical("adr_channel_barrier_wait", JAVA_LONG, JAVA_INT);
  static final MethodHandle PREPARE_TO_WAKE = bind("adr_channel_prepare_to_wake", FunctionDescriptor.of(JAVA_INT));
  static final MethodHandle ENABLE_SENDER_FENCE =
      bind("adr_channel_enable_sender_fence", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
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
  static final MethodHandle AFFINITY_BIND = bind("adr_affinity_bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  static final MethodHandle COPY_DESCRIBE =
      bind("adr_copy_describe", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  static final MethodHandle CMA_ALLOW = bind("adr_cma_allow", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  static final MethodHandle XPMEM_STATUS = bind("adr_xpmem_status", FunctionDescriptor.of(JAVA_INT));
  static final MethodHandle XPMEM_EXPORT = bind("adr_xpmem_export", FunctionDescriptor.of(JAVA_LONG));
  static final MethodHandle XPMEM_REACH =
      bind("adr_xpmem_reach", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
  static final MethodHandle XPMEM_UNREACH =
      bind("adr_xpmem_unreach", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
  static final MethodHandle HUGE_ADVISE =
      bind("adr_huge_advise", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));

  static {
    requireSameLayout();
  }

  private Native() {}

  static MethodHandle bind(String name, FunctionDescriptor type, Linker.Option... options) {
    return LINKER.downcallHandle(
        LOOKUP.find(name).orElseThrow(() -> new UnsatisfiedLinkError("the native library has no function " + name)),
        type,
        options);
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
