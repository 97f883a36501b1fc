/** Matching, pending sends, progress and waiting: written once, on any core. */
package io.adrastea.engine;

import io.adrastea.engine.match.Matching;
