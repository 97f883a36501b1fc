package io.adrastea;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/** System properties for the time of an action; what they were before is restored. */
public final class Settings {
  private Settings() {}

  /** Runs an action; a value of null means that the property is not set. */
  public static <T> T with(Map<String, String> properties, Callable<T> action) throws Exception {
    Map<String, String> before = new HashMap<>();
    properties.keySet().forEach(name -> before.put(name, System.getProperty(name)));
    properties.forEach(Settings::set);
    try {
      return action.call();
    } finally {
      before.forEach(Settings::set);
    }
  }

  private static void set(String name, String value) {
    if (value == null) {
      System.clearProperty(name);
    } else {
      System.setProperty(name, value);
    }
  }
}
