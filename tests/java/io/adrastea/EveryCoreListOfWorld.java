package io.adrastea;

import static java.lang.annotation.ElementType.TYPE;
import static java.lang.annotation.RetentionPolicy.RUNTIME;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * As {@link EveryCoreList}, on {@code world} alone: for tests of what belongs to the job, and for those whose two ranks
 * need the CPUs for themselves.
 */
@Retention(RUNTIME)
@Target(TYPE)
@ParameterizedClass(name = "{0}")
@CoreLists(
    value = {"ffm", "java", "ffm,java", "ffm+nodes.tcp"},
    others = {"jni", "ffm+pipes", "ffm,java+nodes.round", "java,ffm", "jna", "ffm+mixed", "jna,jni", "ffm+nodes"})
@Timeout(value = 240, threadMode = SEPARATE_THREAD)
public @interface EveryCoreListOfWorld {}
