/**
 * Benches of large messages that are more than a time by size: {@code bench in-place}, what a receive without a copy
 * saves, and {@code bench overlap}, what of a transfer hides behind computing.
 */
package io.adrastea.bench.large;
