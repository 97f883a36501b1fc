/** The link over the shared memory of a node: core, rank table and segment. */
package io.adrastea.link.shm;
