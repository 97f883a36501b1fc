<#include "/@lib/head.ftl">
<#include "/@lib/bindings.ftl">
<@made />
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

  // What AddressSpaces asks for: the class would not compile without any of them.
<@natives of="Spaces" />
}
