/**
 * Transfers of large messages by rendezvous: the handshake, the paths of the bytes, and the movers that move them.
 */
package io.adrastea.transfer;
