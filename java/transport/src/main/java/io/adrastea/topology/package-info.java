/**
 * What the kernel tells of this node's CPUs: which there are for us, what they share, and how much of them a control
 * group leaves. Roots of {@code /sys} and {@code /proc} are arguments, so that a test can give those of another
 * machine.
 */
package io.adrastea.topology;
