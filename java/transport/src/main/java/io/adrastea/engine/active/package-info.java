/** Active messages: a handler at the receiver takes each in as it comes, without a receive of the program. */
package io.adrastea.engine.active;
