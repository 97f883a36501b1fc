/** Control messages: what ranks tell each other about what they do, beside the messages of the program. */
package io.adrastea.engine.control;
