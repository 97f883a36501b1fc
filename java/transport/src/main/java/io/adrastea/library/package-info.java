/** Where native files come from: a path given, the library path, the jar. */
package io.adrastea.library;
