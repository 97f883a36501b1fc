/** Collectives of a communicator: the waits over one member's part of its slot. */
package io.adrastea.engine.collective;
