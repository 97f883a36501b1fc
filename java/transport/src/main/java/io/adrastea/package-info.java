/**
 * Messages between the ranks of a job through shared memory.
 *
 * <p>
 * {@link io.adrastea.Job} is where a program begins; {@link io.adrastea.Communicator} sends and receives
 * {@link io.adrastea.Data}; {@link io.adrastea.Request} completes what was started. The terms are MPI's.
 *
 * <p>
 * The papers that this transport follows are cited by name, year and section:
 * <ul>
 * <li>[Nemesis 2006]: Buntinas, Mercier, Gropp, <i>Design and Evaluation of Nemesis, a Scalable, Low-Latency,
 * Message-Passing Communication Subsystem</i>, CCGRID 2006;
 * <li>[MPICH2 2007]: the same authors, <i>Implementation and Evaluation of Shared-Memory Communication and
 * Synchronization Operations in MPICH2 using the Nemesis Communication Subsystem</i>, Parallel Computing 33, 2007;
 * <li>[SCI-MPICH 2002]: Worringen, Gäer, Reker, Bemmerl, <i>Exploiting Transparent Remote Memory Access for
 * Non-Contiguous- and One-Sided-Communication</i>, 2002;
 * <li>[MVAPICH 2006]: Chai, Hartono, Panda, <i>Designing High Performance and Scalable MPI Intra-node Communication
 * Support for Clusters</i>, 2006;
 * <li>[OpenSHMEM over XPMEM 2011]: Brightwell, Pedretti, <i>An Intra-Node Implementation of OpenSHMEM Using Virtual
 * Address Space Mapping</i>, PGAS 2011.
 * </ul>
 */
package io.adrastea;
