/** Collective operators in shared memory: what they compute; twin of native/coll. */
package io.adrastea.coll;
