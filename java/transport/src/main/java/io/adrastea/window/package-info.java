/**
 * Locks and synchronisation of windows in shared memory: the words of a member's block, and what is done to them, a
 * look at a time; twin of native/window.
 */
package io.adrastea.window;
