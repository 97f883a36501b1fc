/** The shared memory of a job: file, mapping, geometry, growth. */
package io.adrastea.segment;
