/** For launchers: what a rank must find in its environment to join a job. */
package io.adrastea.launch;
