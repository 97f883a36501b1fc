/**
 * Locks in symmetric memory, as OpenSHMEM has them, and what is done to their words, a look at a time; twin of
 * native/lock.
 */
package io.adrastea.lock;
