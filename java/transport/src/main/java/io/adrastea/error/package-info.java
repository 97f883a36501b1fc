/** What the library throws; bad arguments are the JDK's own exceptions. */
package io.adrastea.error;
