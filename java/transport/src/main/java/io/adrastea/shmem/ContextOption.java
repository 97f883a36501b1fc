package io.adrastea.shmem;

/**
 * What a program promises of a {@link ShmemContext} that it makes, so that less has to be done for it. In shared memory
 * an access is done when its call returns, so there is nothing to leave out: a context with options does what one
 * without them does, and no promise is checked, which would cost each access more than it takes.
 */
public enum ContextOption {
  /** Several threads may use it, one at a time ({@code SHMEM_CTX_SERIALIZED}). */
  SERIALIZED,

  /** The thread alone uses it that makes it ({@code SHMEM_CTX_PRIVATE}). */
  PRIVATE,

  /** Its fence and quiet need not order stores that are no calls of it ({@code SHMEM_CTX_NOSTORE}). */
  NOSTORE
}
