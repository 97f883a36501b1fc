/* The functions of adrastea/channel.h, adrastea/coll.h, adrastea/copy.h, adrastea/datatype.h, adrastea/ring.h and
 * adrastea/space.h for JNI. Twin of io.adrastea.core.jni.JniCore, JniSpaces and JniSlotMember: same functions, same
 * order. Only numbers cross, pointers as jlong: so no call looks at the JVM, and none can fail in it. */
#include <jni.h>
#include <stdint.h>

#include "adrastea/affinity.h"
#include "adrastea/channel.h"
#include "adrastea/coll.h"
#include "adrastea/copy.h"
#include "adrastea/datatype.h"
#include "adrastea/ring.h"
#include "adrastea/space.h"
#include "adrastea/version.h"

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_io_adrastea_core_jni_JniCore_##name
#define JVM __attribute__((unused)) JNIEnv *env, __attribute__((unused)) jobject self

static inline void *pointer(jlong address) { return (void *)(intptr_t)address; }

static inline adr_channel *channel_at(jlong address) { return pointer(address); }

NATIVE(jint, layoutChecksum)(JVM) { return (jint)adr_layout_checksum(); }

NATIVE(jint, bindThread)(JVM, jint cpu) { return adr_affinity_bind(cpu); }

NATIVE(jlong, openWithin)(JVM, jlong base, jlong bytes, jint rank) {
  return (jlong)(intptr_t)adr_channel_open_within(pointer(base), bytes, rank);
}

NATIVE(void, close)(JVM, jlong channel) { adr_channel_close(channel_at(channel)); }

NATIVE(jint, trySend)
(JVM, jlong channel, jint destination, jint kind, jlong match, jlong total_length, jlong source, jlong offset,
 jlong length) {
  return adr_channel_try_send(channel_at(channel), destination, kind, match, total_length, pointer(source), offset,
                              length);
}

NATIVE(jint, trySendElements)
(JVM, jlong channel, jint destination, jlong match, jlong program, jlong memory, jlong offset, jlong count,
 jlong length) {
  return adr_channel_try_send_elements(channel_at(channel), destination, match, pointer(program), pointer(memory),
                                       offset, count, length);
}

NATIVE(jlong, claim)
(JVM, jlong channel, jint destination, jint kind, jlong match, jlong total_length, jlong length) {
  return adr_channel_claim(channel_at(channel), destination, kind, match, total_length, length);
}

NATIVE(jint, commit)(JVM, jlong channel, jint destination) {
  return adr_channel_commit(channel_at(channel), destination);
}

NATIVE(jint, abort)(JVM, jlong channel, jint destination) {
  return adr_channel_abort(channel_at(channel), destination);
}

NATIVE(jint, beginBurst)(JVM, jlong channel, jint destination) {
  return adr_channel_begin_burst(channel_at(channel), destination);
}

NATIVE(jint, endBurst)(JVM, jlong channel, jint destination) {
  return adr_channel_end_burst(channel_at(channel), destination);
}

NATIVE(jint, poll)(JVM, jlong channel, jint first, jlong inbound) {
  return adr_channel_poll(channel_at(channel), first, pointer(inbound));
}

NATIVE(jint, way)(JVM, jlong channel, jint destination, jlong length) {
  return adr_channel_way(channel_at(channel), destination, length);
}

NATIVE(jint, pollBatch)(JVM, jlong channel, jint first, jlong inbound, jint most) {
  return adr_channel_poll_batch(channel_at(channel), first, pointer(inbound), most);
}

NATIVE(jint, release)(JVM, jlong channel) { return adr_channel_release(channel_at(channel)); }

NATIVE(jint, releaseBatch)(JVM, jlong channel, jint count, jint more) {
  return adr_channel_release_batch(channel_at(channel), count, more);
}

NATIVE(jint, retain)(JVM, jlong channel) { return adr_channel_retain(channel_at(channel)); }

NATIVE(jint, releaseRetained)(JVM, jlong channel, jint source, jlong place) {
  return adr_channel_release_retained(channel_at(channel), source, place);
}

NATIVE(jint, receive)
(JVM, jlong channel, jlong match, jlong mask, jint source, jlong destination, jlong offset, jlong capacity, jint spins,
 jlong inbound) {
  return adr_channel_receive(channel_at(channel), match, mask, source, pointer(destination), offset, capacity, spins,
                             pointer(inbound));
}

NATIVE(jint, receiveElements)
(JVM, jlong channel, jlong match, jlong mask, jint source, jlong program, jlong memory, jlong offset, jlong count,
 jlong capacity, jint spins, jlong inbound) {
  return adr_channel_receive_elements(channel_at(channel), match, mask, source, pointer(program), pointer(memory),
                                      offset, count, capacity, spins, pointer(inbound));
}

NATIVE(jint, openBox)(JVM, jlong channel, jint source) { return adr_channel_open_box(channel_at(channel), source); }

NATIVE(jint, refuseBox)(JVM, jlong channel, jint source) { return adr_channel_refuse_box(channel_at(channel), source); }

NATIVE(jint, reclaim)(JVM, jlong channel) { return adr_channel_reclaim(channel_at(channel)); }

NATIVE(jint, barrierArrive)(JVM, jlong channel) { return adr_channel_barrier_arrive(channel_at(channel)); }

NATIVE(jint, barrierWait)(JVM, jlong channel, jint spins) {
  return adr_channel_barrier_wait(channel_at(channel), spins);
}

NATIVE(jint, prepareToWake)(JVM) { return adr_channel_prepare_to_wake(); }

NATIVE(jint, enableSenderFence)(JVM, jlong channel) { return adr_channel_enable_sender_fence(channel_at(channel)); }

NATIVE(jlong, announceSleep)(JVM, jlong channel) { return adr_channel_announce_sleep(channel_at(channel)); }

NATIVE(jint, sleep)(JVM, jlong base, jint rank, jlong word, jlong nanos) {
  return adr_channel_sleep(pointer(base), rank, word, nanos);
}

NATIVE(jint, giveWay)(JVM, jlong base, jint rank, jlong now) { return adr_channel_give_way(pointer(base), rank, now); }

NATIVE(jint, worksUntil)(JVM, jlong base, jint rank, jlong time) {
  return adr_channel_works_until(pointer(base), rank, time);
}

NATIVE(jint, wasGivenWay)(JVM, jlong base, jint rank, jint ranks, jlong since) {
  return adr_channel_was_given_way(pointer(base), rank, ranks, since);
}

NATIVE(jint, avoidSharedCpu)(JVM, jlong base, jint rank, jint other) {
  return adr_channel_avoid_shared_cpu(pointer(base), rank, other);
}

NATIVE(jint, endSleep)(JVM, jlong channel) { return adr_channel_end_sleep(channel_at(channel)); }

NATIVE(jint, wake)(JVM, jlong channel, jint rank) { return adr_channel_wake(channel_at(channel), rank); }

/* The functions from here on are those of JniSpaces. */
#undef NATIVE
#define NATIVE(type, name) JNIEXPORT type JNICALL Java_io_adrastea_core_jni_JniSpaces_##name

NATIVE(void, copy)
(JVM, jlong source, jlong source_offset, jlong destination, jlong destination_offset, jlong bytes) {
  adr_copy(pointer(source), source_offset, pointer(destination), destination_offset, bytes);
}

NATIVE(void, copyStream)
(JVM, jlong source, jlong source_offset, jlong destination, jlong destination_offset, jlong bytes) {
  adr_copy_stream(pointer(source), source_offset, pointer(destination), destination_offset, bytes);
}

NATIVE(void, datatypePack)
(JVM, jlong program, jlong cursor, jlong memory, jlong offset, jlong packed, jlong packed_offset, jlong bytes) {
  adr_datatype_pack(pointer(program), pointer(cursor), pointer(memory), offset, pointer(packed), packed_offset, bytes);
}

NATIVE(void, datatypeUnpack)
(JVM, jlong program, jlong cursor, jlong memory, jlong offset, jlong packed, jlong packed_offset, jlong bytes) {
  adr_datatype_unpack(pointer(program), pointer(cursor), pointer(memory), offset, pointer(packed), packed_offset,
                      bytes);
}

NATIVE(void, datatypeCopy)
(JVM, jlong to_program, jlong to_cursor, jlong to, jlong to_offset, jlong from_program, jlong from_cursor, jlong from,
 jlong from_offset, jlong bytes) {
  adr_datatype_copy(pointer(to_program), pointer(to_cursor), pointer(to), to_offset, pointer(from_program),
                    pointer(from_cursor), pointer(from), from_offset, bytes);
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

/* The functions from here on are those of JniSlotMember. */
#undef NATIVE
#define NATIVE(type, name) JNIEXPORT type JNICALL Java_io_adrastea_core_jni_JniSlotMember_##name

static inline adr_coll *coll_at(jlong address) { return pointer(address); }

NATIVE(jint, open)(JVM, jlong base, jint ranks, jlong slot, jlong bytes, jint number, jlong opened) {
  return adr_coll_open(pointer(base), ranks, pointer(slot), bytes, number, pointer(opened));
}

NATIVE(jlong, words)(JVM, jlong coll, jint which) { return (jlong)(intptr_t)adr_coll_words(coll_at(coll), which); }

NATIVE(void, close)(JVM, jlong coll) { adr_coll_close(coll_at(coll)); }

NATIVE(jint, begin)
(JVM, jlong coll, jint kind, jint root, jlong bytes, jint element, jint operation, jlong in, jlong in_offset, jlong out,
 jlong out_offset, jint spins) {
  return adr_coll_begin(coll_at(coll), kind, root, bytes, element, operation, pointer(in), in_offset, pointer(out),
                        out_offset, spins);
}

NATIVE(jlong, parts)(JVM, jlong coll) { return (jlong)(intptr_t)adr_coll_parts(coll_at(coll)); }

NATIVE(jint, begun)(JVM, jlong coll) { return adr_coll_begun(coll_at(coll)); }

NATIVE(jint, step)(JVM, jlong coll, jint which, jlong in, jlong in_offset, jlong out, jlong out_offset, jint spins) {
  return adr_coll_step(coll_at(coll), which, pointer(in), in_offset, pointer(out), out_offset, spins);
}

NATIVE(jint, expose)
(JVM, jlong coll, jint which, jint in_by, jlong in, jint out_by, jlong out, jint spaces, jlong segment) {
  return adr_coll_expose(coll_at(coll), which, in_by, in, out_by, out, spaces, segment);
}

NATIVE(jint, reach)(JVM, jlong coll, jint which, jlong offset, jlong memory, jlong bytes) {
  return adr_coll_reach(coll_at(coll), which, offset, pointer(memory), bytes);
}

NATIVE(jint, relay)(JVM, jlong coll, jint which) { return adr_coll_relay(coll_at(coll), which); }

NATIVE(jint, other)(JVM, jlong coll, jint which) { return adr_coll_other(coll_at(coll), which); }

NATIVE(jlong, cellsBytes)(JVM, jlong coll) { return adr_coll_cells_bytes(coll_at(coll)); }

NATIVE(jlong, cellsOffset)(JVM, jlong coll) { return adr_coll_cells_offset(coll_at(coll)); }

NATIVE(jint, publishCells)(JVM, jlong coll, jlong offset) { return adr_coll_publish_cells(coll_at(coll), offset); }

NATIVE(jint, cells)(JVM, jlong coll, jlong all, jlong bytes) {
  return adr_coll_cells(coll_at(coll), pointer(all), bytes);
}

NATIVE(jint, breakOff)(JVM, jlong coll) { return adr_coll_break_off(coll_at(coll)); }

NATIVE(jint, beginWrite)(JVM, jlong coll, jint which) { return adr_coll_begin_write(coll_at(coll), which); }

NATIVE(jint, endWrite)(JVM, jlong coll) { return adr_coll_end_write(coll_at(coll)); }

NATIVE(jint, isWrittenBy)(JVM, jlong coll, jint member) { return adr_coll_is_written_by(coll_at(coll), member); }

NATIVE(jint, closeState)(JVM, jlong coll) { return adr_coll_close_state(coll_at(coll)); }

NATIVE(jint, revoke)(JVM, jlong coll) { return adr_coll_revoke(coll_at(coll)); }

NATIVE(jint, state)(JVM, jlong coll, jint member) { return adr_coll_state(coll_at(coll), member); }
