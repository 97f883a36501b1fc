package io.adrastea.cli.base;

import picocli.CommandLine.IVersionProvider;

/** The version of this jar, from its manifest. */
public final class Version implements IVersionProvider {
  /** Returns the version, as in {@code 0.1.0}; {@code unpacked} for classes that are not in a jar. */
  public static String text() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "unpacked" : version;
  }

  @Override
  public String[] getVersion() {
    return new String[] {"adrastea " + text()};
  }
}
