/**
 * Memory of other processes: shared allocations, XPMEM and CMA, each a {@link io.adrastea.space.Space}; what was learnt
 * of each peer, and who may reach whom. Memory of a peer is told by its rank and an I/O vector of addresses, or of
 * offsets in the segment's file ({@link io.adrastea.space.Exposure}), and is read and written from and to any payload
 * of this rank ({@link io.adrastea.space.RemoteMemory}). Transfers use it, and it knows nothing of them.
 *
 * <p>
 * <b>Permission.</b> By CMA a process reaches another one that lets it ({@code Spaces.allow}, which ranks call for
 * their launcher and its descendants when they join), and that the system lets it reach, which only a try can tell. By
 * XPMEM it reaches what the other one exports to those who may write its files.
 *
 * <p>
 * <b>Loops over an attachment run in Java.</b> When an exporter ends, a touch of what is attached of it is SIGBUS,
 * which C does not survive, and an {@link java.lang.InternalError} in Java. Compiled code throws it late, at the next
 * poll or call into C. So all code that touches an attachment does so in Java, and catches that error around all of it,
 * with the call that lets go of the attachment in the same block: {@code XpmemMemory} and {@code RemoteMemory} do for
 * copies.
 */
package io.adrastea.space;
