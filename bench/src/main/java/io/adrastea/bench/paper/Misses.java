package io.adrastea.bench.paper;

/**
 * Cache misses of a message, of both of its ends together.
 *
 * @param way how it went
 * @param move in a ping-pong or in a stream
 * @param bytes its length
 * @param first of the caches for data next to the CPUs
 * @param last of the caches of the second level, the last here
 */
record Misses(PoolWay way, PoolWay.Move move, int bytes, double first, double last) {}
