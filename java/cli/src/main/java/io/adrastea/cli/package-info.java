/**
 * The command line. {@code Start} loads on any JVM and hands over to {@link io.adrastea.cli.Main}; each command has a
 * package of its own and does not use another's.
 */
package io.adrastea.cli;
