/** Collectives in shared memory: how the members of a slot move data, and what they compute; twin of native/coll. */
package io.adrastea.coll;
