package io.adrastea;

import static java.lang.annotation.ElementType.TYPE;
import static java.lang.annotation.RetentionPolicy.RUNTIME;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * As {@link EveryCoreList}, on {@code world} alone: for tests of what belongs to the job, and for those whose two ranks
 * need the CPUs for themselves.
 */
@Retention(RUNTIME)
@Target(TYPE)
@ParameterizedClass(name = "{0}")
@ValueSource(
    strings = {"ffm", "jni", "jna", "java", "ffm,java", "java,ffm", "jna,jni", "ffm+pipes", "ffm+mixed", "ffm+nodes",
      "ffm,java+nodes.round"})
@Timeout(value = 240, threadMode = SEPARATE_THREAD)
public @interface EveryCoreListOfWorld {}
