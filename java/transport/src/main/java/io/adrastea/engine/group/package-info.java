/** The ranks that belong to a communicator, in its own numbers and in the job's. */
package io.adrastea.engine.group;
