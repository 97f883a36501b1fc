package io.adrastea;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * System properties for the time of an action; what they were before is restored. A test may be ended by its time limit
 * in the middle of an action, which then goes on in its own thread, beside the next tests: {@link EndedTests} tells
 * which test begins and which ends. At the end of a test the properties are what they were at its beginning, and from
 * then on its threads change no property any more.
 */
public final class Settings {
  private static final InheritableThreadLocal<Settings> OF_TEST = new InheritableThreadLocal<>();

  private final Map<String, String> atBeginning = new HashMap<>(); // of the properties that the test changed
  private boolean ended;

  private Settings() {}

  /** A test begins in this thread; those that it starts are the test's, too. */
  public static void testBegins() {
    OF_TEST.set(new Settings());
  }

  /** The test that began in this thread is over. */
  public static void testEnds() {
    synchronized (Settings.class) {
      Settings test = OF_TEST.get();
      test.atBeginning.forEach(Settings::set);
      test.ended = true;
    }
    OF_TEST.remove();
  }

  /** Runs an action; a value of null means that the property is not set. */
  public static <T> T with(Map<String, String> properties, Callable<T> action) throws Exception {
    Map<String, String> before = change(properties);
    try {
      return action.call();
    } finally {
      restore(before);
    }
  }

  private static synchronized Map<String, String> change(Map<String, String> properties) {
    Settings test = OF_TEST.get(); // null in a program that is no test
    if (test != null && test.ended) {
      throw new IllegalStateException(
          "the test of this thread was ended, most likely by its time limit: it cannot set " + properties);
    }
    Map<String, String> before = new HashMap<>();
    properties.keySet().forEach(name -> before.put(name, System.getProperty(name)));
    if (test != null) {
      before.forEach((name, value) -> {
        if (!test.atBeginning.containsKey(name)) {
          test.atBeginning.put(name, value);
        }
      });
    }
    properties.forEach(Settings::set);
    return before;
  }

  private static synchronized void restore(Map<String, String> before) {
    Settings test = OF_TEST.get();
    if (test == null || !test.ended) {
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
