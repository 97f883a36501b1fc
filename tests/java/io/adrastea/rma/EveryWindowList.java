package io.adrastea.rma;

import static java.lang.annotation.ElementType.TYPE;
import static java.lang.annotation.RetentionPolicy.RUNTIME;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.adrastea.CoreLists;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * Runs a test class with each core and each way to a window's memory that there is in one process, which stands behind
 * the colon; on a communicator of some ranks of a larger job, too. The class takes the list as its parameter.
 */
@Retention(RUNTIME)
@Target(TYPE)
@ParameterizedClass(name = "{0}")
@CoreLists(
    value = {"ffm:direct", "java:direct", "ffm:cma", "ffm:handler", "ffm,java@subset:handler"},
    others = {"jni:direct", "java:handler", "jna:direct", "jni,ffm:cma", "ffm,java:direct", "jna,java:handler",
      "java,ffm@subset:direct"})
@Timeout(value = 240, threadMode = SEPARATE_THREAD)
@interface EveryWindowList {}
