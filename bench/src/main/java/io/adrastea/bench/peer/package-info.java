/**
 * What Adrastea is compared with: for each peer, whether it is here, how it is started, and a
 * {@link io.adrastea.bench.measure.Variant} that speaks with its processes.
 */
package io.adrastea.bench.peer;
