/** {@code adrastea run}: the ranks of one job as processes of this node. */
package io.adrastea.cli.run;
