/**
 * OpenSHMEM for Java: memory that lies at the same place in each of several processes (PEs), which all of them read,
 * write and compute in [OpenSHMEM over XPMEM 2011].
 */
package io.adrastea.shmem;
