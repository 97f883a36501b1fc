/** Shared allocations: memory that one rank takes and that every rank of the node can reach. */
package io.adrastea.shared;
