/** What a launcher puts into the environment of ranks so that they join a job, and what it tells and learns of them. */
package io.adrastea.launch;
