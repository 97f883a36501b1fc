package io.adrastea.comm;

import io.adrastea.contextid.Parents;

/**
 * A communicator, and what it was made out of, as far as some of its members may not have come to that.
 *
 * @param before that of the communicator that this rank has made it out of; null: all members are in that
 */
record Lineage(int id, Parents parents, Lineage before) {}
