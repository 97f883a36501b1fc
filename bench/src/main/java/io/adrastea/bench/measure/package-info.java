/**
 * {@code adrastea bench}: times messages between ranks beside the floor of the machine.
 *
 * <p>
 * A run has variants: the {@code floor} and {@code line} of the C program {@code
 * adrastea-floor}, and each core asked for, as a job of {@link io.adrastea.bench.measure.Worker} processes. All are
 * alive at once, one at a time is told to measure, the others wait in a read. {@link io.adrastea.bench.measure.Rounds}
 * goes through all of them again and again, so that a machine that changes its speed does so for all; ratios are taken
 * within a round.
 */
package io.adrastea.bench.measure;
