/**
 * Atomic read-modify-writes of elements of memory that several processes map: what accumulates and compare-and-swaps of
 * windows compute; twin of native/accumulate.
 */
package io.adrastea.accumulate;
