package io.adrastea.core.jna;

import com.sun.jna.Native;
import io.adrastea.core.AddressSpaces;

/**
 * Large messages through JNA's direct mapping: each native method becomes the function of {@code adrastea/copy.h},
 * {@code
 * adrastea/ring.h} or {@code adrastea/space.h} with the same name.
 */
final class JnaSpaces extends AddressSpaces {
  static {
    Native.register(JnaSpaces.class, JnaCore.LIBRARY);
  }

  /** The one of this process. */
  static final JnaSpaces INSTANCE = new JnaSpaces();

  private JnaSpaces() {}

  // What AddressSpaces asks for, in its order: the class would not compile without any of them.
  protected native void copy(long source, long sourceOffset, long destination, long destinationOffset, long bytes);
  protected native void copyStream(long source, long sourceOffset, long destination, long destinationOffset,
      long bytes);
  protected native void datatypePack(
      long program, long cursor, long memory, long offset, long packed, long packedOffset, long bytes);
  protected native void datatypeUnpack(
      long program, long cursor, long memory, long offset, long packed, long packedOffset, long bytes);
  protected native void datatypeCopy(long toProgram, long toCursor, long to, long toOffset, long fromProgram,
      long fromCursor, long from, long fromOffset, long bytes);
  protected native int copyDescribe(long text, int capacity);
  protected native int ringPut(long ring, long bytes, long chunk, long filled, long source, long offset, long length);
  protected native int ringTake(
      long ring, long bytes, long chunk, long drained, long destination, long offset, long length);
  protected native long cmaRead(int pid, long address, long destination, long offset, long bytes);
  protected native long cmaWrite(int pid, long address, long source, long offset, long bytes);
  protected native long cmaReadVector(int pid, long remote, int remotes, long local, int locals);
  protected native long cmaWriteVector(int pid, long local, int locals, long remote, int remotes);
  protected native int cmaAllow(int pid);
  protected native int xpmemStatus();
  protected native long xpmemExport();
  protected native long xpmemReach(long segment, long address, long bytes);
  protected native int xpmemUnreach(long segment, long address, long bytes);
  protected native int hugeAdvise(long address, long bytes);
}
