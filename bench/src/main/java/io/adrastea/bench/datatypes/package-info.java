/**
 * {@code bench datatypes}: data that is not contiguous, sent by its datatype, packed by hand, and packed by the
 * library, beside MPIs that send the same shapes: the strided blocks of [SCI-MPICH 2002, 3.4], and the shapes of
 * applications that DDTBench gathered.
 */
package io.adrastea.bench.datatypes;
