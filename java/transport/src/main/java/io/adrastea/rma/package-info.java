/**
 * One-sided memory: windows, by which ranks read, write and compute in each other's memory.
 *
 * <p>
 * The model is that of MPI-3 (chapter 11). The sources are [SCI-MPICH 2002, 4] (windows in shared memory, emulation
 * where there is none) and [MPICH2 2007, 2.3] (what an engine for one-sided operations needs).
 */
package io.adrastea.rma;
