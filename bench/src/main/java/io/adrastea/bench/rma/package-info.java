/**
 * {@code bench rma}: accesses of ranks to each other's windows, beside Open MPI and MPICH in the same loop and beside
 * loops in C. Start at {@link io.adrastea.bench.rma.RmaCommand}; {@code Access} says what is timed.
 */
package io.adrastea.bench.rma;
