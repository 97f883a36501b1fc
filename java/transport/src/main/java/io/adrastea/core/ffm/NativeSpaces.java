package io.adrastea.core.ffm;

import static io.adrastea.core.ffm.Native.CRITICAL;
import static io.adrastea.core.ffm.Native.bind;
import static io.adrastea.core.ffm.Native.critical;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code adrastea/copy.h}, {@code adrastea/ring.h} and {@code adrastea/space.h} as method handles.
 *
 * <p>
 * A {@code …_PIECE} is a critical call: for at most 64 KiB, which may lie in arrays. The same function without it is an
 * ordinary call, for any number of bytes of native memory, during which the JVM can stop its threads. Buffers cross as
 * segments, which keeps their arenas open during the call.
 */
final class NativeSpaces {
  private static final FunctionDescriptor COPIES =
      FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);
  private static final FunctionDescriptor TRANSFERS =
      FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);
  private static final FunctionDescriptor VECTORS =
      FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);

  static final MethodHandle COPY = bind("adr_copy", COPIES);
  static final MethodHandle COPY_PIECE = bind("adr_copy", COPIES, CRITICAL);
  static final MethodHandle STREAM = bind("adr_copy_stream", COPIES);
  static final MethodHandle STREAM_PIECE = bind("adr_copy_stream", COPIES, CRITICAL);
  static final MethodHandle COPY_DESCRIBE =
      bind("adr_copy_describe", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  static final MethodHandle CMA_READ = bind("adr_cma_read", TRANSFERS);
  static final MethodHandle CMA_READ_PIECE = bind("adr_cma_read", TRANSFERS, CRITICAL);
  static final MethodHandle CMA_WRITE = bind("adr_cma_write", TRANSFERS);
  static final MethodHandle CMA_WRITE_PIECE = bind("adr_cma_write", TRANSFERS, CRITICAL);
  static final MethodHandle CMA_READ_VECTOR = bind("adr_cma_read_vector", VECTORS);
  static final MethodHandle CMA_WRITE_VECTOR = bind("adr_cma_write_vector", VECTORS);
  static final MethodHandle CMA_ALLOW = bind("adr_cma_allow", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  static final MethodHandle XPMEM_STATUS = bind("adr_xpmem_status", FunctionDescriptor.of(JAVA_INT));
  static final MethodHandle XPMEM_EXPORT = bind("adr_xpmem_export", FunctionDescriptor.of(JAVA_LONG));
  static final MethodHandle XPMEM_REACH =
      bind("adr_xpmem_reach", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
  static final MethodHandle XPMEM_UNREACH =
      bind("adr_xpmem_unreach", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
  static final MethodHandle HUGE_ADVISE =
      bind("adr_huge_advise", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
  static final MethodHandle RING_PUT =
      critical("adr_ring_put", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);
  static final MethodHandle RING_TAKE =
      critical("adr_ring_take", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);

  private NativeSpaces() {}
}
