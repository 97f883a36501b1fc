/** Numbers of communicators, and their slots in shared memory: who takes them, and when they are free again. */
package io.adrastea.context;
