/** Transfers of large messages: the LMT interface, and the ways to copy from one rank's memory to another's. */
package io.adrastea.transfer;
