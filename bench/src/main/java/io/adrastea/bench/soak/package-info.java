/**
 * {@code bench soak}: a job under load for minutes or hours. Every rank knows from a seed what every other one sends it
 * ({@link io.adrastea.bench.soak.Traffic}), so each message is checked to the last byte by the rank that receives it;
 * {@link io.adrastea.bench.soak.Soak} keeps the rounds, and looks that nothing grows and nothing hangs.
 */
package io.adrastea.bench.soak;
