package io.adrastea.it;

import io.adrastea.core.Core;
import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import io.adrastea.core.Spaces;
import io.adrastea.segment.Segment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The core {@code ffm} on a system that withdraws the right to other processes' memory after a few calls. */
public final class LosingCoreProvider implements CoreProvider {
  static final String NAME = "losing";

  private static final int CALLS = 7; // the probe, and some of the copies of a message

  private final AtomicInteger calls = new AtomicInteger();

  private static CoreProvider given() {
    return Cores.choose("ffm");
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int number() {
    return given().number();
  }

  @Override
  public int preference() {
    return Integer.MAX_VALUE;
  }

  @Override
  public Optional<Throwable> unavailabilityCause() {
    return Optional.empty();
  }

  @Override
  public List<String> lacks() {
    return List.of();
  }

  @Override
  public Core open(Segment segment, int rank) {
    return given().open(segment, rank);
  }

  @Override
  public Spaces spaces() {
    Spaces spaces = given().spaces();
    return (Spaces) Proxy.newProxyInstance(
        Spaces.class.getClassLoader(),
        new Class<?>[] {Spaces.class},
        (proxy, method, arguments) -> {
          boolean reaches = List.of("read", "write", "readVector", "writeVector").contains(method.getName());
          if (reaches && calls.getAndIncrement() >= CALLS) {
            return (long) Spaces.PERM;
          }
          try {
            return method.invoke(spaces, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }
}
