/** The C core through JNI. Its other half is native/jni. */
package io.adrastea.core.jni;
