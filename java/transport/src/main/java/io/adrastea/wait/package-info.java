/** The one policy of waiting. */
package io.adrastea.wait;
