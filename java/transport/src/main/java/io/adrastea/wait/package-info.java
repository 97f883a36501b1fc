/** Who is inside the engine of a rank, who waits, and how threads rest until what they wait for is there. */
package io.adrastea.wait;
