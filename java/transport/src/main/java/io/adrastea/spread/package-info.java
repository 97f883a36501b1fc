/** Collectives by messages: which member sends what to which other member, in which order, as pure functions. */
package io.adrastea.spread;
