package io.adrastea.topology;

import java.util.List;

/**
 * A CPU, that is a hardware thread, and what it shares with others.
 *
 * @param number as the kernel counts
 * @param packageNumber the package (socket) it is in
 * @param node the NUMA node whose memory is nearest
 * @param core the least number of the CPUs of its core
 * @param thread 0 for the first allowed CPU of its core, 1 for the next (SMT sibling), and so on
 * @param tier 0 for the fastest kind of cores on this machine, 1 for the next, and so on
 * @param caches its caches for data, the nearest first
 */
public record Cpu(int number, int packageNumber, int node, int core, int thread, int tier, List<Cache> caches) {}
