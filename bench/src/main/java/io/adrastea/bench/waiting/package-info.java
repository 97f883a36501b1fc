/** What waiting costs: {@code bench waiting}, the CPU that a waiting rank takes and how soon it is back. */
package io.adrastea.bench.waiting;
