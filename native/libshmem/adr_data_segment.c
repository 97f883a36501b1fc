#include "libshmem/adr_data_segment.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/adr_atomic.h"

/* Linux 5.14; glibc 2.36 does not name it everywhere. */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum { PART_PAGE = 4096, LOOKED_UP = 256, FORK_EXIT_CODE = 127 };

/* Guards the next two, and is held during a fork. */
static pthread_mutex_t moving = PTHREAD_MUTEX_INITIALIZER;
static struct adr_data_segment *in_place; /* what is moved now; NULL: nothing is */
static void *for_child;                   /* what the child of a fork that is under way gets; MAP_FAILED: nothing */

static uintptr_t page_bytes(void) { return (uintptr_t)sysconf(_SC_PAGESIZE); }
static uintptr_t page_down(uintptr_t address) { return address & ~(page_bytes() - 1); }
static uintptr_t page_up(uintptr_t address) { return page_down(address + page_bytes() - 1); }

__attribute__((format(printf, 4, 5))) static int refuse(int status, char *why, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why, size, format, arguments);
  va_end(arguments);
  return status;
}

/* How many threads the process has; -errno: nothing tells. */
static int threads(void) {
  DIR *tasks = opendir("/proc/self/task");
  if (tasks == NULL) { return -errno; }
  int count = 0;
  for (struct dirent *entry; (entry = readdir(tasks)) != NULL;) { count += entry->d_name[0] != '.'; }
  closedir(tasks);
  return count;
}

/* -- Finding ------------------------------------------------------------------------------------------------------ */

/* Between the variables of a program that is checked by AddressSanitizer lies what nobody else may read; and the
 * sanitizer sees each memcpy. */
#define WITHOUT_CHECKS __attribute__((no_sanitize("address")))

struct search {
  struct adr_data_segment *data;
  uintptr_t end;
  int stretches; /* that are apart from each other */
  bool built;    /* whether there is a build-id */
};

static void mix(uint64_t program[2], uint64_t word) {
  program[0] = (program[0] ^ word) * UINT64_C(0x100000001b3);
  program[1] = (program[1] + word) * UINT64_C(0x9e3779b97f4a7c15);
  program[1] ^= program[1] >> 29;
}

WITHOUT_CHECKS static void mix_bytes(uint64_t program[2], const char *bytes, size_t count) {
  for (size_t at = 0; at < count; at += sizeof(uint64_t)) {
    uint64_t word = 0;
    for (size_t i = at; i < count && i < at + sizeof word; i++) { word = word << 8 | (unsigned char)bytes[i]; }
    mix(program, word);
  }
  mix(program, count);
}

/* Adds a writable segment, less what the loader has made read-only again: it protects whole pages alone. */
static void add_stretch(struct search *search, const struct dl_phdr_info *info, const ElfW(Phdr) * segment) {
  struct adr_data_segment *data = search->data;
  uintptr_t start = page_down(info->dlpi_addr + segment->p_vaddr);
  uintptr_t end = page_up(info->dlpi_addr + segment->p_vaddr + segment->p_memsz);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *relro = &info->dlpi_phdr[i];
    uintptr_t begins = page_down(info->dlpi_addr + relro->p_vaddr);
    uintptr_t ends = page_down(info->dlpi_addr + relro->p_vaddr + relro->p_memsz);
    if (relro->p_type == PT_GNU_RELRO && begins <= start && ends > start) { start = ends < end ? ends : end; }
  }
  if (start >= end) { return; }
  if (search->stretches == 0 || start != search->end) { search->stretches++; }
  if (data->start == NULL) { data->start = (char *)start; }
  uintptr_t of_file = page_up(info->dlpi_addr + segment->p_vaddr + segment->p_filesz);
  data->untouched = (char *)(of_file < end ? of_file : end);
  search->end = end;
}

/* Takes in the build-id, where one of these notes is it. */
static void read_notes(struct search *search, const char *note, const char *end, size_t align) {
  const size_t step = align == 8 ? 8 : 4;
  while ((size_t)(end - note) >= sizeof(ElfW(Nhdr))) {
    const ElfW(Nhdr) *head = (const void *)note;
    const char *name = note + sizeof *head;
    const char *words = name + ((head->n_namesz + step - 1) & ~(step - 1));
    if (words > end || head->n_descsz > (size_t)(end - words)) { return; }
    if (head->n_type == NT_GNU_BUILD_ID && head->n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
      mix_bytes(search->data->program, words, head->n_descsz);
      search->built = true;
    }
    note = words + ((head->n_descsz + step - 1) & ~(step - 1));
    if (note > end) { return; }
  }
}

/* The program is what the loader names first. */
static int look_at_program(struct dl_phdr_info *info, size_t size, void *argument) {
  (void)size;
  struct search *search = argument;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    const char *start = (const char *)(info->dlpi_addr + segment->p_vaddr);
    if (segment->p_type == PT_LOAD && (segment->p_flags & PF_W) != 0) { add_stretch(search, info, segment); }
    if (segment->p_type == PT_NOTE) { read_notes(search, start, start + segment->p_memsz, segment->p_align); }
  }
  /* Code and constants have the offsets of all variables in them. The file's own header, in front of them, changes when
   * symbols are stripped. */
  for (int i = 0; i < info->dlpi_phnum && !search->built; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    const char *start = (const char *)(info->dlpi_addr + segment->p_vaddr);
    size_t header = segment->p_offset == 0 ? sizeof(ElfW(Ehdr)) : 0;
    if (segment->p_type == PT_LOAD && (segment->p_flags & (PF_W | PF_R)) == PF_R && segment->p_filesz >= header) {
      mix_bytes(search->data->program, start + header, segment->p_filesz - header);
    }
  }
  if (search->data->start != NULL) { mix(search->data->program, (uintptr_t)search->data->start - info->dlpi_addr); }
  return 1;
}

/* Fails where the program, or a library, has mapped something else there or changed what may be done with a page. */
static int check_pages(const struct adr_data_segment *data, char *why, size_t size) {
  FILE *maps = fopen("/proc/self/maps", "re");
  if (maps == NULL) {
    return refuse(-errno, why, size, "/proc/self/maps cannot be read, which tells how the program lies in memory: %s",
                  strerrordesc_np(errno));
  }
  char *line = NULL, access[5];
  size_t room = 0;
  uintptr_t checked = (uintptr_t)data->start, end = checked + (uintptr_t)data->bytes;
  int status = 0;
  while (status == 0 && checked < end && getline(&line, &room, maps) > 0) {
    unsigned long from, to;
    if (sscanf(line, "%lx-%lx %4s", &from, &to, access) != 3 || to <= checked) { continue; }
    if (from > checked) { break; }
    if (strcmp(access, "rw-p") != 0) {
      status = refuse(-ENOTSUP, why, size,
                      "the pages of its variables from %#lx on are '%s' and not 'rw-p': the program or a library has "
                      "changed them before shmem_init",
                      (unsigned long)checked, access);
    }
    checked = to;
  }
  free(line);
  fclose(maps);
  if (status == 0 && checked < end) {
    status = refuse(-ENOTSUP, why, size, "there is no memory at %#lx, where its variables should be",
                    (unsigned long)checked);
  }
  return status;
}

int adr_data_segment_find(struct adr_data_segment *data, char *why, size_t size) {
  *data = (struct adr_data_segment){.descriptor = -1, .program = {UINT64_C(0xcbf29ce484222325), 0}};
  int count = threads();
  if (count != 1) {
    return count < 0 ? refuse(count, why, size, "/proc/self/task cannot be read, which tells the number of threads: %s",
                              strerrordesc_np(-count))
                     : refuse(-EBUSY, why, size,
                              "the process has %d threads, and variables are moved while it has one; call shmem_init "
                              "before threads are started",
                              count);
  }
  if (page_bytes() > PART_PAGE) {
    return refuse(-ENOTSUP, why, size, "pages have %ld bytes here, and parts of the segment consist of pages of %d",
                  (long)page_bytes(), PART_PAGE);
  }
  struct search search = {.data = data};
  dl_iterate_phdr(look_at_program, &search);
  data->bytes = (int64_t)(search.end - (uintptr_t)data->start);
  if (search.stretches == 0) { return refuse(-ENOTSUP, why, size, "the program has no variables"); }
  int status = search.stretches == 1
                   ? check_pages(data, why, size)
                   : refuse(-ENOTSUP, why, size,
                            "its variables lie in %d stretches apart from each other; link it without a script of its "
                            "own and without ld's --section-start",
                            search.stretches);
  if (status < 0) { data->start = NULL; }
  return status;
}

/* -- Moving ------------------------------------------------------------------------------------------------------- */

WITHOUT_CHECKS static bool is_zero(const char *page, int64_t bytes) {
  const volatile uint64_t *words = (const void *)page; /* a function that is called here would be checked */
  for (int64_t i = 0; i < bytes / (int64_t)sizeof *words; i++) {
    if (words[i] != 0) { return false; }
  }
  return true;
}

/* Copies pages but those that are zero, which are zero at the destination already. */
WITHOUT_CHECKS static void copy_pages(char *to, const char *from, int64_t bytes) {
  const int64_t page = (int64_t)page_bytes();
  for (int64_t at = 0; at < bytes; at += page) {
    if (is_zero(from + at, page)) { continue; }
    const volatile uint64_t *words = (const void *)(from + at);
    volatile uint64_t *copies = (void *)(to + at);
    for (int64_t i = 0; i < page / (int64_t)sizeof *words; i++) { copies[i] = words[i]; }
  }
}

/* Copies pages that no file lies behind. Those that nobody has touched are not looked at, since a look takes a fault
 * and a page of page tables. */
static void copy_touched(char *to, const char *from, int64_t bytes) {
  const int64_t page = (int64_t)page_bytes();
  int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  uint64_t entries[LOOKED_UP];
  for (int64_t at = 0; at < bytes; at += page * LOOKED_UP) {
    int64_t pages = (bytes - at) / page < LOOKED_UP ? (bytes - at) / page : LOOKED_UP;
    off_t entry = (off_t)((uintptr_t)(from + at) / (uintptr_t)page * sizeof *entries);
    ssize_t known = pagemap < 0 ? -1 : pread(pagemap, entries, (size_t)pages * sizeof *entries, entry);
    for (int64_t i = 0; i < pages; i++) {
      /* bit 63: the page is in memory; bit 62: it is in the swap */
      if (known == pages * (ssize_t)sizeof *entries && entries[i] >> 62 == 0) { continue; }
      copy_pages(to + at + i * page, from + at + i * page, page);
    }
  }
  if (pagemap >= 0) { close(pagemap); }
}

/* Maps the file's pages over the stretch. What cannot be done is taken back: `copy` has what the stretch held. */
static int map_over(struct adr_data_segment *data, const char *copy) {
  void *there = mmap(data->start, (size_t)data->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, data->descriptor,
                     data->offset);
  if (there != MAP_FAILED) { return 0; }
  int status = -errno; /* the stretch may be gone already: the system unmaps first */
  there =
      mmap(data->start, (size_t)data->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (there == MAP_FAILED) { abort(); }
  copy_pages(data->start, copy, data->bytes);
  return status;
}

int adr_data_segment_move(struct adr_data_segment *data, int descriptor, int64_t offset, char *why, size_t size) {
  struct stat file;
  if (offset % (int64_t)page_bytes() != 0) {
    return refuse(-ENOTSUP, why, size, "pages have %ld bytes here, and its part of the segment begins at %lld",
                  (long)page_bytes(), (long long)offset);
  }
  char *copy = MAP_FAILED;
  if (fstat(descriptor, &file) == 0) {
    copy = mmap(NULL, (size_t)data->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, offset);
  }
  if (copy == MAP_FAILED) {
    return refuse(-errno, why, size, "%lld bytes of the segment cannot be mapped for its variables: %s",
                  (long long)data->bytes, strerrordesc_np(errno));
  }
  data->descriptor = descriptor;
  data->offset = offset;
  data->device = file.st_dev;
  data->inode = file.st_ino;
  /* What a handler of a signal wrote to a variable from here on would be lost. Nothing below writes to one, and no
   * thread of the program is there. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  copy_pages(copy, data->start, data->untouched - data->start);
  copy_touched(copy + (data->untouched - data->start), data->untouched, data->start + data->bytes - data->untouched);
  int status = map_over(data, copy);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  munmap(copy, (size_t)data->bytes);
  if (status < 0) {
    return refuse(status, why, size, "the segment cannot be mapped over its variables: %s", strerrordesc_np(-status));
  }
  data->moved = true;
  pthread_mutex_lock(&moving);
  in_place = data;
  pthread_mutex_unlock(&moving);
  return 0;
}

/* Whether the descriptor still is the file's: a program may have closed all that it has, and opened others. */
static bool has_file(const struct adr_data_segment *data) {
  struct stat file;
  return fstat(data->descriptor, &file) == 0 && file.st_dev == data->device && file.st_ino == data->inode;
}

/* The next bytes of the stretch from `at` on that may be other than zero, up to `*end`; none: at the end of it. What
 * was reserved and never touched is a hole to the system. */
static int64_t next_data(const struct adr_data_segment *data, int64_t at, int64_t *end) {
  *end = data->bytes;
  if (!has_file(data)) { return at; }
  off_t found = lseek(data->descriptor, data->offset + at, SEEK_DATA);
  if (found < 0) { return errno == ENXIO ? data->bytes : at; }
  off_t hole = lseek(data->descriptor, found, SEEK_HOLE);
  if (hole > 0 && hole - data->offset < data->bytes) { *end = hole - data->offset; }
  return found - data->offset < data->bytes ? found - data->offset : data->bytes;
}

/* Makes pages the process's own that are the file's until they are written to. Others may write to them meanwhile. */
static void take_over(char *start, int64_t bytes) {
  if (bytes == 0 || madvise(start, (size_t)bytes, MADV_POPULATE_WRITE) == 0) { return; }
  for (int64_t at = 0; at < bytes; at += (int64_t)page_bytes()) {
    adr_atomic_u32 *word = (void *)(start + at);
    uint32_t value = adr_load_relaxed_u32(word);
    /* Stores what is there, and nothing where a store of another thread came in between. It orders nothing. */
    while (!adr_cas_relaxed_u32(word, value, value)) { value = adr_load_relaxed_u32(word); }
  }
}

/* What maps the file, with copies of pages that are written to, becomes memory of the process, bit by bit. */
static void take_all_over(const struct adr_data_segment *data) {
  const bool alone = threads() == 1;
  for (int64_t at = 0, end = data->bytes; at < data->bytes; at = end) {
    int64_t from = alone ? next_data(data, at, &end) : at;
    /* Nobody has written to what lies before it, and nobody does now. */
    if (from > at
        && mmap(data->start + at, (size_t)(from - at), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
                -1, 0)
               == MAP_FAILED) {
      from = at;
    }
    take_over(data->start + from, end - from);
  }
}

int adr_data_segment_return(struct adr_data_segment *data, char *why, size_t size) {
  if (!data->moved) { return 0; }
  if (!has_file(data)) {
    return refuse(-EBADF, why, size, "the descriptor %d of the segment was closed by the program", data->descriptor);
  }
  pthread_mutex_lock(&moving);
  /* One step: what was written before it is in the file, what is written after it in pages of this process. */
  void *there = mmap(data->start, (size_t)data->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED,
                     data->descriptor, data->offset);
  int status = there == MAP_FAILED ? -errno : 0;
  if (status == 0) {
    take_all_over(data);
    data->moved = false;
    in_place = NULL;
  }
  pthread_mutex_unlock(&moving);
  return status == 0 ? 0 : refuse(status, why, size, "no memory for its variables: %s", strerrordesc_np(-status));
}

/* -- Forks -------------------------------------------------------------------------------------------------------- */

/* The copy is made before the fork: the child then sees its variables as they were, whatever other processes write
 * meanwhile, and the parent need not wait for it. */
static void before_fork(void) {
  pthread_mutex_lock(&moving);
  if (in_place == NULL) { return; }
  for_child = mmap(NULL, (size_t)in_place->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int64_t at = 0, end; for_child != MAP_FAILED && at < in_place->bytes; at = end) {
    int64_t from = next_data(in_place, at, &end);
    copy_pages((char *)for_child + from, in_place->start + from, end - from);
  }
}

static void in_parent(void) {
  if (in_place != NULL && for_child != MAP_FAILED) { munmap(for_child, (size_t)in_place->bytes); }
  pthread_mutex_unlock(&moving);
}

/* Nothing else of the child runs before this, see `remember_forks`. */
static void in_child(void) {
  if (in_place != NULL) {
    size_t bytes = (size_t)in_place->bytes;
    if (for_child == MAP_FAILED
        || mremap(for_child, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, in_place->start) == MAP_FAILED) {
      static const char words[] = "shmem: a forked process has no memory for its copy of the program's variables\n";
      ssize_t told = write(STDERR_FILENO, words, sizeof words - 1);
      (void)told;
      _exit(FORK_EXIT_CODE); /* else it would write to the parent's */
    }
    in_place->moved = false;
    in_place = NULL;
  }
  pthread_mutex_unlock(&moving);
}

/* Handlers that were registered first run last before a fork and first in the child: those of the program, which
 * register later than a library that it is linked to, write to variables before the copy, and then to the copy. */
__attribute__((constructor)) static void remember_forks(void) { pthread_atfork(before_fork, in_parent, in_child); }

/* -- Naming ------------------------------------------------------------------------------------------------------- */

struct place {
  uintptr_t address;
  bool is_library;
  bool found;
  char text[160];
};

/* A symbol of a library or of a program that has a table of them; "": there is none. */
static void name_of(uintptr_t address, char *name, size_t size) {
  Dl_info info;
  const ElfW(Sym) *symbol = NULL;
  name[0] = '\0';
  if (dladdr1((void *)address, &info, (void **)&symbol, RTLD_DL_SYMENT) != 0 && info.dli_sname != NULL && symbol != NULL
      && address - (uintptr_t)info.dli_saddr < symbol->st_size) {
    snprintf(name, size, " '%.60s'", info.dli_sname);
  }
}

static bool is_within(uintptr_t address, uintptr_t start, uintptr_t bytes) {
  return address >= start && address - start < bytes;
}

static void tell_of(struct place *place, const char *kind, const char *object) {
  char name[80];
  name_of(place->address, name, sizeof name);
  const char *base = strrchr(object, '/');
  snprintf(place->text, sizeof place->text, "%s %s%s of %s%.60s", name[0] == '\0' ? "a" : "the", kind, name,
           place->is_library ? "the library " : "the program", place->is_library ? (base ? base + 1 : object) : "");
  place->found = true;
}

static int look_at_object(struct dl_phdr_info *info, size_t size, void *argument) {
  struct place *place = argument;
  const char *kind = NULL;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_TLS && size >= sizeof *info && info->dlpi_tls_data != NULL
        && is_within(place->address, (uintptr_t)info->dlpi_tls_data, segment->p_memsz)) {
      kind = "thread-local variable";
    } else if (segment->p_type == PT_LOAD && is_within(place->address, start, segment->p_memsz)) {
      kind = (segment->p_flags & PF_X) != 0   ? "function or constant"
             : (segment->p_flags & PF_W) != 0 ? "variable"
                                              : "constant";
    } else if (segment->p_type == PT_GNU_RELRO && kind != NULL
               && is_within(place->address, start, page_down(start + segment->p_memsz) - start)) {
      kind = "constant";
    }
  }
  if (kind != NULL) { tell_of(place, kind, info->dlpi_name); }
  place->is_library = true; /* the program is named first */
  return kind != NULL;
}

static bool is_on_stack(uintptr_t address) {
  pthread_attr_t attributes;
  void *start;
  size_t bytes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) { return false; }
  bool on = pthread_attr_getstack(&attributes, &start, &bytes) == 0 && is_within(address, (uintptr_t)start, bytes);
  pthread_attr_destroy(&attributes);
  return on;
}

/* Tells of what no program or library is. */
static void look_at_maps(struct place *place) {
  strcpy(place->text, "no memory of this process");
  FILE *maps = fopen("/proc/self/maps", "re");
  char *line = NULL;
  size_t room = 0;
  while (maps != NULL && getline(&line, &room, maps) > 0) {
    unsigned long from, to;
    int name = 0;
    if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %n", &from, &to, &name) != 2
        || !is_within(place->address, from, to - from)) {
      continue;
    }
    const char *what = line + name;
    if (strncmp(what, "[stack", 6) == 0) {
      strcpy(place->text, "memory of a stack");
    } else if (strncmp(what, "[heap]", 6) == 0) {
      strcpy(place->text, "memory of malloc");
    } else if (*what == '/') {
      snprintf(place->text, sizeof place->text, "memory of the file %.*s", (int)strcspn(what, "\n") % 120, what);
    } else {
      strcpy(place->text, "private memory (of malloc, of mmap, or a thread's)");
    }
    break;
  }
  free(line);
  if (maps != NULL) { fclose(maps); }
}

const char *adr_data_segment_what(const void *address) {
  static _Thread_local struct place place;
  place = (struct place){.address = (uintptr_t)address};
  if (address == NULL) { return "the null pointer"; }
  dl_iterate_phdr(look_at_object, &place);
  if (!place.found && is_on_stack(place.address)) {
    strcpy(place.text, "memory of a stack");
  } else if (!place.found) {
    look_at_maps(&place);
  }
  return place.text;
}
