/** Queues of cells in shared memory, twin of native/queue. */
package io.adrastea.queue;
