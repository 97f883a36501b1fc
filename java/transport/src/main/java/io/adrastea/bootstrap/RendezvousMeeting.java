package io.adrastea.bootstrap;

/**
 * Who meets where.
 *
 * @param address where rank 0 listens
 * @param rank this one
 * @param size ranks of the job
 * @param timeoutMillis how long to wait for the others
 * @param node what {@link NodeIdentity} says of this process
 * @param links names of the links by which it may reach other nodes, with commas between; empty: there are none
 * @param job the job's number as its launcher says it, 16 hex digits; empty: rank 0 draws one
 */
record RendezvousMeeting(
    RendezvousAddress address, int rank, int size, int timeoutMillis, String node, String links, String job) {}
