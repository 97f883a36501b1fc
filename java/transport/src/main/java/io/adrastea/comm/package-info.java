/** The inside of data, communicators and calls: what stands below the face. */
package io.adrastea.comm;
