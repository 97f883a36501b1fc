/** The C core through java.lang.foreign; all use of the Linker is here. */
package io.adrastea.core.ffm;
