package io.adrastea.core;

import java.util.Optional;

/** A provider whose core needs something loaded first; what came of it is found out once, when somebody asks. */
public abstract class LoadedCoreProvider implements CoreProvider {
  private Optional<Throwable> cause;

  /** For subclasses. */
  protected LoadedCoreProvider() {}

  /**
   * Loads what the core needs.
   *
   * @throws LinkageError when it cannot be had; the message says why
   * @throws ClassNotFoundException likewise
   */
  protected abstract void load() throws ClassNotFoundException;

  @Override
  public final synchronized Optional<Throwable> unavailabilityCause() {
    if (cause == null) {
      cause = tryLoad();
    }
    return cause;
  }

  private Optional<Throwable> tryLoad() {
    try {
      load();
      return Optional.empty();
    } catch (ExceptionInInitializerError e) {
      return Optional.of(e.getCause());
    } catch (ClassNotFoundException | LinkageError | RuntimeException e) {
      return Optional.of(e);
    }
  }
}
