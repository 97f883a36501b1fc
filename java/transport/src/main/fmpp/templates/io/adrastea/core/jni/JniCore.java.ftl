<#include "/@lib/head.ftl">
<#include "/@lib/bindings.ftl">
<@made />
package io.adrastea.core.jni;

import io.adrastea.core.AddressCore;
import io.adrastea.core.LoadedCoreProvider;
import io.adrastea.core.SlotMember;
import io.adrastea.library.NativeLibrary;
import io.adrastea.segment.Segment;
import java.lang.foreign.MemorySegment;

/**
 * The C core through JNI. Its other half, {@code adr_jni.c}, hands each call on to the function of {@code
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

  // What this class and AddressCore ask for: neither would compile without any of them.
<@natives of="Core" statics=["layoutChecksum", "affinityBind", "descriptorRead", "descriptorWrite", "prepareToWake",
    "openWithin"] />

  @Override
  public SlotMember slotMember(MemorySegment slot, int self) {
    return new JniSlotMember(segment, slot, self);
  }
}
