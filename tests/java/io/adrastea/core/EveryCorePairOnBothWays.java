package io.adrastea.core;

import static java.lang.annotation.ElementType.TYPE;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs a contract test for every pair of cores, without and with fastboxes: what holds for cells holds for them too.
 */
@Retention(RUNTIME)
@Target(TYPE)
@Timeout(240)
@ParameterizedClass(name = "{0}")
@MethodSource("io.adrastea.core.CorePair#onBothWays")
@interface EveryCorePairOnBothWays {}
