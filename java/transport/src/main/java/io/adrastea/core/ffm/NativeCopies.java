package io.adrastea.core.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/**
 * The functions of the C core that move large messages and elements of datatypes, or accumulate, as method handles.
 * They are made when the first of those is called: a handle is code that the JVM makes, which takes it a millisecond or
 * two, and many a rank starts that needs none.
 */
final class NativeCopies {
  private static final FunctionDescriptor COPIES =
      FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);
  private static final FunctionDescriptor PACKINGS =
      FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);

  static final MethodHandle COPY = Native.bind("adr_copy", COPIES);
  static final MethodHandle COPY_PIECE = Native.bind("adr_copy", COPIES, Native.CRITICAL);
  static final MethodHandle STREAM = Native.bind("adr_copy_stream", COPIES);
  static final MethodHandle STREAM_PIECE = Native.bind("adr_copy_stream", COPIES, Native.CRITICAL);
  static final MethodHandle CMA_READ_PIECE = Native.bind("adr_cma_read", Native.TRANSFERS, Native.CRITICAL);
  static final MethodHandle CMA_WRITE_PIECE = Native.bind("adr_cma_write", Native.TRANSFERS, Native.CRITICAL);
  static final MethodHandle ACCUMULATE = Native.critical("adr_accumulate", JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS,
      JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT);
  static final MethodHandle DATATYPE_PACK = Native.bind("adr_datatype_pack", PACKINGS, Native.CRITICAL);
  static final MethodHandle DATATYPE_UNPACK = Native.bind("adr_datatype_unpack", PACKINGS, Native.CRITICAL);
  static final MethodHandle DATATYPE_COPY = Native.bind("adr_datatype_copy", FunctionDescriptor.ofVoid(ADDRESS, ADDRESS,
      ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG), Native.CRITICAL);
  static final MethodHandle TRY_SEND_ELEMENTS = Native.critical("adr_channel_try_send_elements", JAVA_LONG, JAVA_INT,
      JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  static final MethodHandle RECEIVE_ELEMENTS = Native.critical("adr_channel_receive_elements", JAVA_LONG, JAVA_LONG,
      JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
  static final MethodHandle RING_PUT =
      Native.critical("adr_ring_put", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);
  static final MethodHandle RING_TAKE =
      Native.critical("adr_ring_take", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);

  private NativeCopies() {}
}
