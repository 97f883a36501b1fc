/**
 * {@code bench jmh}: what happens inside one process, by JMH. A call of a core, a queue operation, a copy, a match; no
 * second CPU takes part, so that these figures are costs of code, not of cache lines that move.
 */
package io.adrastea.bench.jmh;
