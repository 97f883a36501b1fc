/**
 * The layout of what is not contiguous: how a datatype is flattened ({@link io.adrastea.datatype.Flat}), the program of
 * 64-bit words that it becomes ({@link io.adrastea.datatype.Program}), and the loops that pack and unpack by it
 * ({@link io.adrastea.datatype.Packing}), which are the twin of {@code native/datatype} [SCI-MPICH 2002, 3.3].
 */
package io.adrastea.datatype;
