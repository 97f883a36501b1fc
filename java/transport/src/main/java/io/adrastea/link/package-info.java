/**
 * How ranks are reached: what a network module implements. A {@link io.adrastea.link.LinkProvider}, which the service
 * loader finds, brings a {@link io.adrastea.link.Link} from each rank to those that it reaches. Programs that send and
 * receive need nothing of this package.
 */
package io.adrastea.link;
