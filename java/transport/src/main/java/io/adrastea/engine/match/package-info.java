/** Which message is for which receive: receives that are posted, and messages that nobody has asked for. */
package io.adrastea.engine.match;
