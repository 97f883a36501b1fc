/** Shared allocations: memory that one rank takes and that every rank of the host can reach. */
package io.adrastea.shared;
