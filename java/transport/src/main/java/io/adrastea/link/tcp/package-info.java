/** The link between nodes over TCP: addresses and keys in cards, a socket for each pair of ranks that talk. */
package io.adrastea.link.tcp;
