/**
 * Which threads are inside the engine of a rank, which of them wait, and how threads rest until what they wait for is
 * there.
 */
package io.adrastea.wait;
