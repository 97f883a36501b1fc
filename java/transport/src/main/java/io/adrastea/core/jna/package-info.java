/** The C core through JNA's direct mapping; all use of JNA is here. The jar is optional. */
package io.adrastea.core.jna;
