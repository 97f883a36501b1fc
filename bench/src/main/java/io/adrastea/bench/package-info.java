/**
 * {@code bench compare} and {@code bench jmh}: what needs more than the command line's own jar may depend on.
 */
package io.adrastea.bench;
