package io.adrastea.cli;

/**
 * The command line's first class, compiled for Java 8 so that an old JVM can load it and say which one is needed,
 * instead of failing with {@code UnsupportedClassVersionError}. {@code Main} is reached by its name: its class file is
 * too new for such a JVM.
 */
public final class Start {
  private static final int OLDEST_JAVA = 22;

  private Start() {}

  /**
   * Hands over to {@code io.adrastea.cli.Main}.
   *
   * @param args the words of the command line
   * @throws ReflectiveOperationException when the jar is incomplete
   */
  public static void main(String[] args) throws ReflectiveOperationException {
    int java = featureVersion(System.getProperty("java.specification.version", "0"));
    if (java < OLDEST_JAVA) {
      System.err.println(
          "Adrastea needs Java "
              + OLDEST_JAVA
              + " or newer, this is Java "
              + System.getProperty("java.version")
              + " in "
              + System.getProperty("java.home")
              + ".");
      System.err.println("Start it with a newer one, or use bin/adrastea, which looks for one.");
      System.exit(1);
    }
    Class.forName("io.adrastea.cli.Main")
        .getMethod("main", String[].class)
        .invoke(null, (Object) args);
  }

  /** 17 of "17", 8 of "1.8". */
  private static int featureVersion(String specification) {
    String feature = specification.startsWith("1.") ? specification.substring(2) : specification;
    return Integer.parseInt(feature);
  }
}
