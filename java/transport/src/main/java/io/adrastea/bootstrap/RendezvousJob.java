package io.adrastea.bootstrap;

import io.adrastea.peers.Nodes;

/**
 * What ranks have learnt where they met.
 *
 * @param number of the job
 * @param nodes on which node each of its ranks is
 * @param cards by which they go on; null: they are on one node, and their segment tells them the rest
 */
record RendezvousJob(long number, Nodes nodes, CardExchange cards) {}
