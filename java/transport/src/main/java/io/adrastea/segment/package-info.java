/** The shared memory of a job: file, mapping, geometry, words, growth. */
package io.adrastea.segment;
