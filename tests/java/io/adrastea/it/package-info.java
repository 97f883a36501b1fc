/**
 * Tests of several processes, on the packed jar: {@code *IT} are the tests, {@code *Rank} the programs that their ranks
 * run, the rest is what they share.
 */
package io.adrastea.it;
