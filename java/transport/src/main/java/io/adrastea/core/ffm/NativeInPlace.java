package io.adrastea.core.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code adrastea/channel.h} for messages that are written or read where they lie, one by one or many
 * at a time: claims, bursts, batches and what is retained. They are linked when a program calls the first of them.
 */
final class NativeInPlace {
  static final MethodHandle CLAIM =
      Native.bind(
          "adr_channel_claim",
          FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG),
          Native.CRITICAL);
  static final MethodHandle COMMIT = Native.critical("adr_channel_commit", JAVA_LONG, JAVA_INT);
  static final MethodHandle ABORT = Native.critical("adr_channel_abort", JAVA_LONG, JAVA_INT);
  static final MethodHandle BEGIN_BURST = Native.critical("adr_channel_begin_burst", JAVA_LONG, JAVA_INT);
  static final MethodHandle END_BURST = Native.critical("adr_channel_end_burst", JAVA_LONG, JAVA_INT);
  static final MethodHandle POLL_BATCH =
      Native.critical("adr_channel_poll_batch", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT);
  static final MethodHandle RELEASE_BATCH =
      Native.critical("adr_channel_release_batch", JAVA_LONG, JAVA_INT, JAVA_INT);
  static final MethodHandle RETAIN = Native.critical("adr_channel_retain", JAVA_LONG);
  static final MethodHandle RELEASE_RETAINED =
      Native.critical("adr_channel_release_retained", JAVA_LONG, JAVA_INT, JAVA_LONG);

  private NativeInPlace() {}
}
