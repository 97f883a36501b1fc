package io.adrastea;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Keeps a test that was ended by its time limit, and still runs, from changing the settings of the next ones. */
public final class EndedTests implements BeforeEachCallback, AfterEachCallback {
  @Override
  public void beforeEach(ExtensionContext context) {
    Settings.testBegins();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Settings.testEnds();
  }
}
