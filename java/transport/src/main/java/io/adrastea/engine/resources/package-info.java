/** What the parts of the engine of a rank share. */
package io.adrastea.engine.resources;
