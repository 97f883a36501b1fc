/** The barrier in shared variables, twin of native/barrier. */
package io.adrastea.barrier;
