package io.adrastea.core.pure;

import io.adrastea.core.Core;
import io.adrastea.core.CoreProvider;
import io.adrastea.core.Spaces;
import io.adrastea.segment.Segment;
import java.util.List;
import java.util.Optional;

/** The core in Java alone: works wherever the JVM does. */
public final class PureCoreProvider implements CoreProvider {
  @Override
  public String name() {
    return "java";
  }

  @Override
  public int number() {
    return 5;
  }

  @Override
  public int preference() {
    return 100;
  }

  @Override
  public Optional<Throwable> unavailabilityCause() {
    return Optional.empty();
  }

  @Override
  public List<String> lacks() {
    return List.of(
        "pinning of threads (ffm does it where it works)",
        "giving the memory of a fastbox back when its sender has left (it goes with the segment)",
        "asking for huge pages (huge=always needs no asking)");
  }

  @Override
  public Core open(Segment segment, int rank) {
    return new PureCore(segment, rank);
  }

  @Override
  public Spaces spaces() {
    return PureSpaces.INSTANCE;
  }
}
