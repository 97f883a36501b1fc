/** Atomic words of shared memory: what every room that shares memory stands on. */
package io.adrastea.atomic;
