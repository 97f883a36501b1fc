/**
 * How ranks are reached: a link to some of them, and the peers that all links of a rank reach together. Ranks are those
 * of the job everywhere; a link translates them to whatever it calls them.
 */
package io.adrastea.link;
