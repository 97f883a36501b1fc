/* The functions of adrastea/copy.h, adrastea/ring.h and adrastea/space.h for JNI. Twin of
 * io.adrastea.core.jni.JniSpaces: same functions, same order. Only numbers cross, pointers as jlong: so no call looks
 * at the JVM, and none can fail in it. */
#include <jni.h>
#include <stdint.h>

#include "adrastea/copy.h"
#include "adrastea/ring.h"
#include "adrastea/space.h"

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_io_adrastea_core_jni_JniSpaces_##name
#define JVM __attribute__((unused)) JNIEnv *env, __attribute__((unused)) jobject self

static inline void *pointer(jlong address) { return (void *)(intptr_t)address; }

NATIVE(void, copy)
(JVM, jlong source, jlong source_offset, jlong destination, jlong destination_offset, jlong bytes) {
  adr_copy(pointer(source), source_offset, pointer(destination), destination_offset, bytes);
}

NATIVE(void, copyStream)
(JVM, jlong source, jlong source_offset, jlong destination, jlong destination_offset, jlong bytes) {
  adr_copy_stream(pointer(source), source_offset, pointer(destination), destination_offset, bytes);
}

NATIVE(jint, copyDescribe)(JVM, jlong text, jint capacity) { return adr_copy_describe(pointer(text), capacity); }

NATIVE(jint, ringPut)
(JVM, jlong ring, jlong bytes, jlong chunk, jlong filled, jlong source, jlong offset, jlong length) {
  return adr_ring_put(pointer(ring), bytes, chunk, filled, pointer(source), offset, length);
}

NATIVE(jint, ringTake)
(JVM, jlong ring, jlong bytes, jlong chunk, jlong drained, jlong destination, jlong offset, jlong length) {
  return adr_ring_take(pointer(ring), bytes, chunk, drained, pointer(destination), offset, length);
}

NATIVE(jlong, cmaRead)(JVM, jint pid, jlong address, jlong destination, jlong offset, jlong bytes) {
  return adr_cma_read(pid, address, pointer(destination), offset, bytes);
}

NATIVE(jlong, cmaWrite)(JVM, jint pid, jlong address, jlong source, jlong offset, jlong bytes) {
  return adr_cma_write(pid, address, pointer(source), offset, bytes);
}

NATIVE(jlong, cmaReadVector)(JVM, jint pid, jlong remote, jint remotes, jlong local, jint locals) {
  return adr_cma_read_vector(pid, pointer(remote), remotes, pointer(local), locals);
}

NATIVE(jlong, cmaWriteVector)(JVM, jint pid, jlong local, jint locals, jlong remote, jint remotes) {
  return adr_cma_write_vector(pid, pointer(local), locals, pointer(remote), remotes);
}

NATIVE(jint, cmaAllow)(JVM, jint pid) { return adr_cma_allow(pid); }

NATIVE(jint, xpmemStatus)(JVM) { return adr_xpmem_status(); }

NATIVE(jlong, xpmemExport)(JVM) { return adr_xpmem_export(); }

NATIVE(jlong, xpmemReach)(JVM, jlong segment, jlong address, jlong bytes) {
  return adr_xpmem_reach(segment, address, bytes);
}

NATIVE(jint, xpmemUnreach)(JVM, jlong segment, jlong address, jlong bytes) {
  return adr_xpmem_unreach(segment, address, bytes);
}

NATIVE(jint, hugeAdvise)(JVM, jlong address, jlong bytes) { return adr_huge_advise(pointer(address), bytes); }
