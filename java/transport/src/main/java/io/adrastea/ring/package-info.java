/** Copy rings, through which both ends copy a large message at once; twin of native/ring. */
package io.adrastea.ring;
