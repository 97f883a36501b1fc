#include "adrastea/descriptor.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/adr_clock.h"

/* Waits until `events` hold, or the other end has closed it. Returns 0 or a negative errno value. */
static int await(int descriptor, short events, int32_t millis) {
  struct pollfd polled = {.fd = descriptor, .events = events};
  int64_t deadline = adr_clock_now() + (int64_t)millis * 1000000;
  while (1) {
    int64_t left = (deadline - adr_clock_now() + 999999) / 1000000;
    int ready = poll(&polled, 1, left > 0 ? (int)left : 0);
    if (ready > 0) { return (polled.revents & POLLNVAL) == 0 ? 0 : -EBADF; }
    if (ready == 0) { return -ETIMEDOUT; }
    if (errno != EINTR) { return -errno; }
  }
}

int32_t adr_descriptor_read(int32_t descriptor, void *bytes, int32_t length, int32_t millis) {
  if (length < 1 || millis < 0) { return -EINVAL; }
  int status = await(descriptor, POLLIN, millis);
  if (status < 0) { return status; }
  ssize_t count;
  do { count = read(descriptor, bytes, (size_t)length); } while (count < 0 && errno == EINTR);
  return count < 0 ? -errno : (int32_t)count;
}

/* A socket's other end may be gone: send, not write, since that would raise SIGPIPE. */
static ssize_t put(int descriptor, const void *bytes, size_t length) {
  ssize_t count = send(descriptor, bytes, length, MSG_NOSIGNAL);
  return count < 0 && errno == ENOTSOCK ? write(descriptor, bytes, length) : count;
}

int32_t adr_descriptor_write(int32_t descriptor, const void *bytes, int32_t length, int32_t millis) {
  if (length < 1 || millis < 0) { return -EINVAL; }
  int status = await(descriptor, POLLOUT, millis);
  if (status < 0) { return status; }
  ssize_t count;
  do { count = put(descriptor, bytes, (size_t)length); } while (count < 0 && errno == EINTR);
  return count < 0 ? -errno : (int32_t)count;
}
