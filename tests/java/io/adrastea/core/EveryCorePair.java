package io.adrastea.core;

import static java.lang.annotation.ElementType.TYPE;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs a contract test for every pair of cores, without fastboxes. A new core needs no new test: it is found and run.
 */
@Retention(RUNTIME)
@Target(TYPE)
@Timeout(240)
@ParameterizedClass(name = "{0}")
@MethodSource("io.adrastea.core.CorePair#all")
@interface EveryCorePair {}
