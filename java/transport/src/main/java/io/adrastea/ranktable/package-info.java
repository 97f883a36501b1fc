/** Who is in the job. */
package io.adrastea.ranktable;
