/**
 * The sending side of a rank: pending sends, bursts and claims, and the rendezvous of large messages, which both sides
 * use.
 */
package io.adrastea.engine.send;
