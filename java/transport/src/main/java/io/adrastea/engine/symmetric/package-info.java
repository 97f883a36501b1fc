/** Symmetric heaps: how they are made, what all PEs allocate together, and how a PE waits for a word of one. */
package io.adrastea.engine.symmetric;
