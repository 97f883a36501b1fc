package io.adrastea.space;

import io.adrastea.core.Spaces;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** The ways of a core to other memory, of which some are the test's; it counts the calls. */
final class AlteredSpaces {
  private final Map<String, Function<Object[], Object>> changes = new HashMap<>();
  private final Map<String, Integer> calls = new HashMap<>();
  private final Spaces spaces;

  AlteredSpaces(Spaces real) {
    spaces =
        (Spaces) Proxy.newProxyInstance(Spaces.class.getClassLoader(), new Class<?>[] {Spaces.class},
            (proxy, method, arguments) -> {
              calls.merge(method.getName(), 1, Integer::sum);
              Function<Object[], Object> change = changes.get(method.getName());
              if (change != null) {
                return change.apply(arguments);
              }
              try {
                method.setAccessible(true);
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  Spaces spaces() {
    return spaces;
  }

  /** Lets a method do that from now on. */
  AlteredSpaces with(String method, Function<Object[], Object> change) {
    changes.put(method, change);
    return this;
  }

  int calls(String method) {
    return calls.getOrDefault(method, 0);
  }
}
