package io.adrastea;

import static java.lang.annotation.ElementType.TYPE;
import static java.lang.annotation.RetentionPolicy.RUNTIME;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * Runs a test class with each core for all ranks, with some mixed, whichever has rank 0, with other links between the
 * ranks than shared memory, and on a communicator of some ranks of a larger job. The class takes the list as its
 * parameter. A test that hangs fails, though its ranks, which nothing can end, are left running.
 */
@Retention(RUNTIME)
@Target(TYPE)
@ParameterizedClass(name = "{0}")
@CoreLists(
    value = {"ffm", "java", "ffm,java", "ffm+nodes.tcp", "ffm,java@subset"},
    others = {"jni", "ffm+pipes", "ffm,java+nodes.round", "java,ffm", "jna", "ffm+mixed", "jna,jni", "ffm+nodes"})
@Timeout(value = 240, threadMode = SEPARATE_THREAD)
public @interface EveryCoreList {}
