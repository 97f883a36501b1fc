/**
 * What Adrastea is compared with: for each peer, whether it is here, how it is started, and a
 * {@link io.adrastea.bench.measure.Variant} that speaks with its processes. {@link io.adrastea.bench.peer.JobBench} is
 * what the benches have in common in which all ranks of a job are measured beside such peers.
 */
package io.adrastea.bench.peer;
