/**
 * {@code bench shmem}: what PEs do with symmetric memory, beside another OpenSHMEM in the same loop, beside loops in C
 * and in Java, and beside collectives of communicators. Start at {@link io.adrastea.bench.shmem.ShmemCommand};
 * {@code Call} says what is timed.
 */
package io.adrastea.bench.shmem;
