/**
 * The command {@code bench}, which this module adds to the command line; what it measures has a package each.
 */
package io.adrastea.bench;
