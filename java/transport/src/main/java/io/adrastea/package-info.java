/**
 * Messages between the ranks of a job through shared memory.
 *
 * <p>
 * {@link io.adrastea.Job} is where a program begins; {@link io.adrastea.Communicator} sends and receives;
 * {@link io.adrastea.Request} completes what was started. The terms are MPI's.
 */
package io.adrastea;
