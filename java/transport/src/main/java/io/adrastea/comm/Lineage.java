package io.adrastea.comm;

import io.adrastea.contextid.Parents;

/**
 * A communicator, and what it was made out of, up to that of all ranks.
 *
 * @param before that of the communicator that this rank has made it out of; null: of all ranks
 */
record Lineage(int id, Parents parents, Lineage before) {}
