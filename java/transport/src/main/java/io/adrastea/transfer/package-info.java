/**
 * Transfers of large messages by rendezvous: the handshake, the paths of the bytes, and the mechanisms that move them.
 */
package io.adrastea.transfer;
