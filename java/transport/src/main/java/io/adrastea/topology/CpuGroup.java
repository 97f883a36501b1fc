package io.adrastea.topology;

/**
 * CPUs that belong together: those of a package, of a NUMA node or of a core.
 *
 * @param number as the kernel counts packages and nodes; of a core, the least number of its CPUs
 * @param cpus of those allowed here, at least one
 */
public record CpuGroup(int number, Cpus cpus) {}
