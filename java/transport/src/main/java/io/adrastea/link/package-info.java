/** How ranks are reached: a link to some of them. */
package io.adrastea.link;
