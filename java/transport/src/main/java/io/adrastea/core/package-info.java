/** What a core is: the primitives on shared memory behind one interface, and the choice among the implementations. */
package io.adrastea.core;
