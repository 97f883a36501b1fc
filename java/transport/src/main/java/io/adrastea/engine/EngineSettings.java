package io.adrastea.engine;

import io.adrastea.lmt.LmtSettings;
import io.adrastea.wait.WaitPolicy;

/**
 * Settings of an engine.
 *
 * @param waiting how its threads wait
 * @param large how large messages go
 * @param bypass receives look for their message before they are posted (000 section 3.3)
 * @param many several threads may use it at a time
 */
public record EngineSettings(WaitPolicy waiting, LmtSettings large, boolean bypass, boolean many) {}
