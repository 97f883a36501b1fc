package io.adrastea.rma;

import static java.lang.annotation.ElementType.TYPE;
import static java.lang.annotation.RetentionPolicy.RUNTIME;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs a test class with each core and each way to a window's memory that there is in one process, which stands behind
 * the colon; on a communicator of some ranks of a larger job, too. The class takes the list as its parameter.
 */
@Retention(RUNTIME)
@Target(TYPE)
@ParameterizedClass(name = "{0}")
@ValueSource(
    strings = {"ffm:direct", "jni:direct", "jna:direct", "java:direct", "ffm,java:direct", "java,ffm@subset:direct",
      "ffm:cma", "jni,ffm:cma", "ffm:handler", "java:handler", "jna,java:handler", "ffm,java@subset:handler"})
@Timeout(value = 240, threadMode = SEPARATE_THREAD)
@interface EveryWindowList {}
