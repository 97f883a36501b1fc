/** Which ranks are gone, and what follows for the ranks that are still there. */
package io.adrastea.engine.failure;
