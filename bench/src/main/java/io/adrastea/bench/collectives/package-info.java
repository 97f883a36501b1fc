/**
 * {@code bench collectives}: calls of all ranks of a job, beside Open MPI and MPICH in the same loop. Start at
 * {@link io.adrastea.bench.collectives.CollectivesCommand}; {@code StartLine} says what the time of a call is.
 */
package io.adrastea.bench.collectives;
