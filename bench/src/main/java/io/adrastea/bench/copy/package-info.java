/**
 * {@code adrastea bench copy}: the floor of copies between two CPUs, and below it the routines that the library copies
 * with, one by one, with those marked that it chooses; what nontemporal stores save in the sender's cache.
 *
 * <p>
 * The program {@code adrastea-copies} makes the copies: the library's own routines, on two CPUs.
 */
package io.adrastea.bench.copy;
