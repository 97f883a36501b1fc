/**
 * Grids and graphs of ranks, as numbers alone: where a rank is, which ranks are beside it, and which rank is to take
 * which place so that those that exchange much share caches. Nothing here knows a communicator.
 */
package io.adrastea.mapping;
