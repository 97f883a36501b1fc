/**
 * The ranks of a job as one of them reaches them, by all its links together, and what the link between the ranks of one
 * node has beside. Ranks are those of the job everywhere; a link translates them to whatever it calls them.
 */
package io.adrastea.peers;
