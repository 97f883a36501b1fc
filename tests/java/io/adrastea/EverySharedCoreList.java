package io.adrastea;

import static java.lang.annotation.ElementType.TYPE;
import static java.lang.annotation.RetentionPolicy.RUNTIME;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * As {@link EveryCoreList}, for what there is in shared memory only, such as messages that stay at their sender until
 * they are asked for; and for tests that make their job themselves.
 */
@Retention(RUNTIME)
@Target(TYPE)
@ParameterizedClass(name = "{0}")
@CoreLists(
    value = {"ffm", "java", "ffm,java"},
    others = {"jni", "java,ffm", "jna", "jna,jni"})
@Timeout(value = 240, threadMode = SEPARATE_THREAD)
public @interface EverySharedCoreList {}
