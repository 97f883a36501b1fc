/** What the library throws; bad arguments are the JDK's own exceptions, or extend them. */
package io.adrastea.error;
