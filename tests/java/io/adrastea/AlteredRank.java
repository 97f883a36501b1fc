package io.adrastea;

import io.adrastea.bootstrap.JoinedRank;
import io.adrastea.core.Core;
import io.adrastea.core.CoreProvider;
import io.adrastea.core.Spaces;
import io.adrastea.engine.resources.EngineSettings;
import io.adrastea.peers.Links;
import io.adrastea.transfer.TransferSettings;
import io.adrastea.wait.Gate;
import io.adrastea.wait.WaitPolicy;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;

/** A rank of which some calls of the core, or of the ways to other memory, are the test's. */
public final class AlteredRank {
  /** A call as it was meant. */
  public interface Real {
    Object call() throws Throwable;
  }

  /** What is done for a call. */
  public interface Change {
    Object call(String name, Object[] arguments, Real real) throws Throwable;
  }

  public static final Change NONE = (name, arguments, real) -> real.call();

  private AlteredRank() {}

  /**
   * Its job.
   *
   * @param multithreaded threads may use it at a time
   * @param core what becomes of calls of the core
   * @param spaces what becomes of calls of the ways to other memory
   */
  public static Job job(JoinedRank joined, boolean multithreaded, Change core, Change spaces) {
    return job(joined, multithreaded, core, spaces, TransferSettings.inForce());
  }

  /** Its job, with settings for large messages that the other ranks need not have. */
  public static Job job(JoinedRank joined, boolean multithreaded, Change core, Change spaces, TransferSettings large) {
    CoreProvider real = joined.provider();
    Spaces altered = of(Spaces.class, real.spaces(), spaces);
    CoreProvider provider =
        of(CoreProvider.class, real, (name, arguments, call) -> name.equals("spaces") ? altered : call.call());
    Core ownCore = of(Core.class, joined.core(), core);
    return new Job(
        new JoinedRank(joined.segment(), joined.table(), joined.rank(), provider, ownCore),
        false,
        new EngineSettings(new WaitPolicy(100, Optional.empty(), null, 0), large, true,
            multithreaded ? Gate.Threads.MANY : Gate.Threads.IN_TURN, Links.SHARED_MEMORY));
  }

  private static <T> T of(Class<T> type, T real, Change change) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> change.call(
                method.getName(),
                arguments,
                () -> {
                  try {
                    method.setAccessible(true);
                    return method.invoke(real, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                })));
  }
}
