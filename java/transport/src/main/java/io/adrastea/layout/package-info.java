/** The bytes of a segment: offsets as literals, twins of the structs in native/layout. */
package io.adrastea.layout;
