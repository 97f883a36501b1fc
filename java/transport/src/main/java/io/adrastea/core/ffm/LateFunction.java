package io.adrastea.core.ffm;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * A function of the C core that is linked when it is called for the first time: many ranks never call it. Its handle is
 * no constant to the compilers, which does not show where a call is rare or makes a system call.
 */
final class LateFunction {
  private final MemorySegment function;
  private final FunctionDescriptor type;
  private MethodHandle handle; // null: it is not linked; threads that race link it twice, to the same effect

  LateFunction(MemorySegment function, FunctionDescriptor type) {
    this.function = function;
    this.type = type;
  }

  /** The ordinary call of it. */
  MethodHandle handle() {
    MethodHandle linked = handle;
    if (linked == null) {
      linked = Native.link(function, type);
      handle = linked;
    }
    return linked;
  }
}
