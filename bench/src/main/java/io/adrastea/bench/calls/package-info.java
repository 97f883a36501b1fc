/**
 * {@code adrastea bench calls}: what calls of each core cost, beside the same calls from a loop in C.
 *
 * <p>
 * Each core is a process that is a job of one rank, {@link io.adrastea.bench.calls.CallWorker}; C is the program {@code
 * adrastea-calls}. They take turns as the variants of the other benches do.
 */
package io.adrastea.bench.calls;
