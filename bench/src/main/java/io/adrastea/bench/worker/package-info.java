/**
 * The JVM peers of {@code bench compare}: two processes, a link between them, and the commands and answers of the
 * bench's own workers. They use nothing of Adrastea but the pinning of a thread.
 */
package io.adrastea.bench.worker;
