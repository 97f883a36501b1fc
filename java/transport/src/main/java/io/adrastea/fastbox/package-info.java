/** Fastboxes: rings for one ordered pair of ranks, twin of native/fastbox. */
package io.adrastea.fastbox;
