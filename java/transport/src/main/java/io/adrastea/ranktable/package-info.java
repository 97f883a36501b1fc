/** The ranks of the job, and what each tells of itself. */
package io.adrastea.ranktable;
