package io.adrastea.core.ffm;

import io.adrastea.core.Core;
import io.adrastea.core.CoreProvider;
import io.adrastea.segment.Segment;
import java.util.List;
import java.util.Optional;

/** The C core through {@code java.lang.foreign}. */
public final class FfmCoreProvider implements CoreProvider {
  private Optional<Throwable> cause;

  @Override
  public String name() {
    return "ffm";
  }

  @Override
  public int number() {
    return 2;
  }

  @Override
  public int preference() {
    return 10;
  }

  @Override
  public synchronized Optional<Throwable> unavailabilityCause() {
    if (cause == null) {
      cause = load();
    }
    return cause;
  }

  private static Optional<Throwable> load() {
    try {
      Class.forName(Native.class.getName());
      return Optional.empty();
    } catch (ExceptionInInitializerError e) {
      return Optional.of(e.getCause());
    } catch (ClassNotFoundException | LinkageError | RuntimeException e) {
      return Optional.of(e);
    }
  }

  @Override
  public List<String> lacks() {
    return List.of();
  }

  @Override
  public Core open(Segment segment, int rank) {
    return new FfmCore(segment, rank);
  }

  @Override
  public int bindThread(int cpu) {
    try {
      return (int) Native.AFFINITY_BIND.invokeExact(cpu);
    } catch (Throwable e) {
      throw Rethrow.unchecked(e);
    }
  }
}
