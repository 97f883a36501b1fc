package io.adrastea.bench.crowd;

/** The situation in which a job of so many ranks makes a call, beside something. */
record Situation(int ranks, Call call, Beside beside) {}
