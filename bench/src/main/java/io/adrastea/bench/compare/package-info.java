/**
 * {@code bench compare}: other ways of moving messages beside ours.
 */
package io.adrastea.bench.compare;
