/** Numbers of communicators, and their slots in shared memory: how they are taken, and when they are free again. */
package io.adrastea.contextid;
