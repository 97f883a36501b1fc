<#include "/@lib/head.ftl">
<#include "/@lib/bindings.ftl">
<@made />
package io.adrastea.core.jni;

import io.adrastea.core.AddressSpaces;

/**
 * Large messages through JNI: {@code adr_jni.c} hands each call on to the function of {@code adrastea/copy.h}, {@code
 * adrastea/datatype.h}, {@code adrastea/ring.h} or {@code adrastea/space.h} with the same name.
 */
final class JniSpaces extends AddressSpaces {
  static {
    JniCore.layoutChecksum(); // loads the library
  }

  /** The one of this process. */
  static final JniSpaces INSTANCE = new JniSpaces();

  private JniSpaces() {}

  // What AddressSpaces asks for: the class would not compile without any of them.
<@natives of="Spaces" />
}
