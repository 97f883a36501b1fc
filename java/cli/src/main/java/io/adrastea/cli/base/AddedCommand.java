package io.adrastea.cli.base;

/**
 * A command that another jar adds to this command line: a class with picocli's annotations, found by
 * {@link java.util.ServiceLoader}.
 */
public interface AddedCommand extends Runnable {}
