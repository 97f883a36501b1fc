<#include "/@lib/head.ftl">
<#include "/@lib/bindings.ftl">
<@made />
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
import java.util.Set;

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

  /** Methods whose functions are not of a channel. */
  private static final Set<String> OTHERS =
      Set.of("layoutChecksum", "affinityBind", "descriptorRead", "descriptorWrite");

  private static final FunctionMapper NAMES = (library, method) -> symbol(method);

  /** Loaded once, for {@link JnaSpaces} too: its file is gone by then. */
  static final NativeLibrary LIBRARY =
      io.adrastea.library.NativeLibrary.load(
          file -> NativeLibrary.getInstance(
              file.toString(),
              Map.of(Library.OPTION_OPEN_FLAGS, RTLD_NOW_LOCAL, Library.OPTION_FUNCTION_MAPPER, NAMES)));

  static {
    Native.register(JnaCore.class, LIBRARY);
    LoadedCoreProvider.requireSameLayout(layoutChecksum());
  }

  private final Segment segment;

  JnaCore(Segment segment, int rank) {
    super(segment, rank, openWithin(segment.memory().address(), segment.memory().byteSize(), rank));
    this.segment = segment;
  }

  /** {@code adr_channel_try_send} for {@code trySend} of this class. */
  private static String symbol(Method method) {
    String name = method.getName();
    Class<?> of = method.getDeclaringClass();
    boolean isOfChannel = of == JnaCore.class && !OTHERS.contains(name);
    String prefix = isOfChannel ? "adr_channel_" : of == JnaSlotMember.class ? "adr_coll_" : "adr_";
    return prefix + name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  // What this class and AddressCore ask for: neither would compile without any of them.
<@natives of="Core" statics=["layoutChecksum", "affinityBind", "descriptorRead", "descriptorWrite", "prepareToWake",
    "openWithin"] />

  @Override
  public SlotMember slotMember(MemorySegment slot, int self) {
    return new JnaSlotMember(segment, slot, self);
  }
}
