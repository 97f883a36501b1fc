/** Windows: memory of ranks that others read, write and compute in, and the epochs in which they may. */
package io.adrastea.engine.window;
