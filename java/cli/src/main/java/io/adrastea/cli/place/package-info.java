/** Where the ranks of a job run: which CPUs each gets, and a drawing of that. */
package io.adrastea.cli.place;
