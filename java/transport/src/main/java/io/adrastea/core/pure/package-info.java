/** The core in Java alone, twin of native/channel. */
package io.adrastea.core.pure;
