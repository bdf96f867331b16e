#define _GNU_SOURCE
#include "run.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
    /// The number of bytes read at once. The last bytes of a part are searched again with the next
    /// part, so that no piece is missed between the two.
    PART = 1 << 20,
    OVERLAP = 256,
    FINDINGS = 256,
    /// A longer match is no coincidence.
    PIECES = 64,
    /// The number of entries of /proc/PID/pagemap that are read at once.
    ENTRIES = 4096,
};

typedef struct {
    uint64_t start, end;
    uint64_t offset, inode;
    bool is_shared;
    /// KiB in memory or in swap.
    uint64_t present;
    char line[160];
    char path[160];
    char flags[80];
} mapping;

typedef struct {
    residue_run *run;
    const residue_table *table;
    residue_hit *hits;
    size_t capacity;
    residue_search search;
    uint64_t page;
    /// `PART` bytes.
    uint8_t *part;
    uint64_t entries[ENTRIES];
    /// While an executable or library mapping is searched: this mapping, else null.
    const mapping *program;
} scan;

/// Whether the program's file, or a library's, has the same bytes at the same place. They are then
/// part of the file, and another byte of the page was changed.
static bool is_of_file(const scan *scan, const residue_finding *finding) {
    const mapping *mapping = scan->program;
    uint8_t memory[PIECES], file[PIECES];
    if (!mapping || finding->count > PIECES) return false;
    int descriptor = open(mapping->path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return false;
    off64_t offset = (off64_t)(mapping->offset + (finding->address - mapping->start));
    bool is_same = pread64(descriptor, file, finding->count, offset) == (ssize_t)finding->count &&
                   pread64(scan->run->memory, memory, finding->count, (off64_t)finding->address) ==
                       (ssize_t)finding->count &&
                   memcmp(file, memory, finding->count) == 0;
    close(descriptor);
    return is_same;
}

static void add(scan *scan, const uint8_t *bytes, size_t count, uint64_t address, residue_place place,
                const char *description) {
    residue_finding findings[FINDINGS];
    size_t found = residue_find(scan->table, bytes, count, address, findings, FINDINGS);
    scan->search.bytes += count;
    for (size_t index = 0; index < found; index++, scan->search.count++) {
        if (index >= FINDINGS || scan->search.count >= scan->capacity) continue;
        residue_hit *hit = &scan->hits[scan->search.count];
        hit->finding = findings[index];
        hit->place = place == RESIDUE_MEMORY && is_of_file(scan, &findings[index]) ? RESIDUE_PROGRAM : place;
        snprintf(hit->description, sizeof hit->description, "%s", description);
    }
}

static void unread(scan *scan, const char *what, int error) {
    if (scan->search.error) return;
    scan->search.error = error;
    snprintf(scan->search.unread, sizeof scan->search.unread, "%s", what);
}

// MARK: registers

static void scan_registers(scan *scan) {
    static const struct {
        unsigned long set;
        residue_place place;
        const char *name;
    } sets[] = {
        {NT_PRSTATUS, RESIDUE_REGISTERS, "general registers"},
#if defined(__x86_64__)
        {NT_X86_XSTATE, RESIDUE_VECTOR_REGISTERS, "vector registers"},
#else
        {NT_FPREGSET, RESIDUE_VECTOR_REGISTERS, "vector registers"},
#endif
    };
    if (!residue_stop_threads(scan->run)) return unread(scan, "a thread", errno);
    for (size_t index = 0; index < scan->run->thread_count; index++) {
        residue_thread *thread = &scan->run->threads[index];
        // The thread ended while it was being stopped.
        if (!thread->is_stopped) continue;
        scan->search.threads++;
        for (size_t set = 0; set < sizeof sets / sizeof *sets; set++) {
            // Up to 11 KiB, with AMX.
            uint8_t bytes[32 * 1024];
            struct iovec vector = {bytes, sizeof bytes};
            char name[80];
            snprintf(name, sizeof name, "%s of thread %d", sets[set].name, thread->number);
            if (ptrace(PTRACE_GETREGSET, thread->number, sets[set].set, &vector) != 0) unread(scan, name, errno);
            else add(scan, bytes, vector.iov_len, 0, sets[set].place, name);
        }
    }
}

// MARK: memory

static bool has_flags(const char *flags, const char *wanted) {
    char list[80];
    snprintf(list, sizeof list, "%s", wanted);
    char *rest;
    for (char *flag = strtok_r(list, " ", &rest); flag; flag = strtok_r(NULL, " ", &rest)) {
        char word[8];
        snprintf(word, sizeof word, " %s ", flag);
        if (!strstr(flags, word)) return false;
    }
    return true;
}

/// Searches all pages from `start` to `end`.
static void scan_pages(scan *scan, uint64_t start, uint64_t end, residue_place place, const char *description) {
    for (uint64_t address = start; address < end;) {
        size_t wanted = end - address < PART ? end - address : PART;
        ssize_t count = pread64(scan->run->memory, scan->part, wanted, (off64_t)address);
        if (count <= 0) return unread(scan, description, count < 0 ? errno : ENODATA);
        add(scan, scan->part, (size_t)count, address, place, description);
        if (address + (uint64_t)count >= end) return;
        address += (uint64_t)count > OVERLAP ? (uint64_t)count - OVERLAP : (uint64_t)count;
    }
}

/// The kind of a page, from its entry in /proc/PID/pagemap.
typedef enum { ABSENT, OWN, UNCHANGED } page_kind;

static page_kind kind_of(uint64_t entry, bool is_program) {
    const uint64_t present = 1ull << 63, swapped = 1ull << 62, is_of_file = 1ull << 61;
    if (!(entry & (present | swapped))) return ABSENT;
    return is_program && entry & is_of_file ? UNCHANGED : OWN;
}

/// Reads the entries of the pages from `address` to `end`, at most ENTRIES. On failure sets errno.
static bool read_entries(scan *scan, uint64_t address, uint64_t end) {
    size_t count = (size_t)((end - address) / scan->page);
    size_t wanted = (count < ENTRIES ? count : ENTRIES) * sizeof *scan->entries;
    off64_t offset = (off64_t)(address / scan->page * sizeof *scan->entries);
    errno = ENODATA;
    return pread64(scan->run->pages, scan->entries, wanted, offset) == (ssize_t)wanted;
}

static void scan_mapping(scan *scan, const mapping *mapping, bool whole, const char *folder) {
    // Kernel mappings have no readable memory, and the program can't write to them.
    static const char *const kernel[] = {"[vvar]", "[vvar_vclock]", "[vsyscall]"};
    for (size_t index = 0; index < sizeof kernel / sizeof *kernel; index++)
        if (strcmp(mapping->path, kernel[index]) == 0) return;
    scan->search.mappings++;
    residue_place place = has_flags(mapping->flags, RESIDUE_GUARDED) ? RESIDUE_GUARDED_MEMORY : RESIDUE_MEMORY;
    // A private mapping of a file that the program did not write: the program itself or a library.
    bool is_program = mapping->inode && !mapping->is_shared && strncmp(mapping->path, folder, strlen(folder)) != 0;
    char description[240];
    snprintf(description, sizeof description, "%s,%s", mapping->line, mapping->flags);
    scan->program = is_program ? mapping : NULL;
    page_kind kind = ABSENT;
    uint64_t start = mapping->start;
    for (uint64_t address = mapping->start; address <= mapping->end; address += scan->page) {
        page_kind next = ABSENT;
        if (address < mapping->end) {
            size_t index = (address - mapping->start) / scan->page % ENTRIES;
            if (index == 0 && !read_entries(scan, address, mapping->end)) return unread(scan, description, errno);
            next = kind_of(scan->entries[index], is_program);
        }
        if (next == kind) continue;
        if (kind == OWN) scan_pages(scan, start, address, place, description);
        if (kind == UNCHANGED && whole) scan_pages(scan, start, address, RESIDUE_PROGRAM, description);
        kind = next;
        start = address;
    }
    scan->program = NULL;
}

static bool begins_mapping(const char *line, mapping *begun) {
    unsigned long start, end, offset, inode;
    char access[8];
    int path = 0;
    if (sscanf(line, "%lx-%lx %7s %lx %*x:%*x %lu %n", &start, &end, access, &offset, &inode, &path) < 5) return false;
    memset(begun, 0, sizeof *begun);
    begun->start = start;
    begun->end = end;
    begun->offset = offset;
    begun->inode = inode;
    begun->is_shared = access[3] == 's';
    size_t length = strcspn(line, "\n");
    snprintf(begun->line, sizeof begun->line, "%.*s", (int)length, line);
    if (path > 0 && (size_t)path < length)
        snprintf(begun->path, sizeof begun->path, "%.*s", (int)(length - (size_t)path), line + path);
    return true;
}

/// Reads all of /proc/PID/smaps. The caller frees the text. Returns null and errno on failure.
static char *mappings(int file) {
    size_t capacity = 1 << 16, count = 0;
    char *text = malloc(capacity);
    if (!text || lseek(file, 0, SEEK_SET) != 0) goto failed;
    while (true) {
        ssize_t more = read(file, text + count, capacity - count - 1);
        if (more < 0) goto failed;
        if (more == 0) break;
        count += (size_t)more;
        if (capacity - count > 1 << 12) continue;
        char *larger = realloc(text, capacity *= 2);
        if (!larger) goto failed;
        text = larger;
    }
    text[count] = 0;
    return text;
failed:
    free(text);
    return NULL;
}

static void scan_memory(scan *scan, bool whole, const char *folder) {
    char *text = mappings(scan->run->mappings);
    scan->part = malloc(PART);
    if (!text || !scan->part || !*text) unread(scan, "smaps", text && scan->part ? ENODATA : errno);
    mapping current;
    bool is_begun = false;
    for (char *line = text; line && scan->part && *line; line = strchr(line, '\n') + 1) {
        unsigned long kilobytes;
        if (begins_mapping(line, &current)) is_begun = true;
        else if (!is_begun) break;
        else if (sscanf(line, "Rss: %lu kB", &kilobytes) == 1) current.present += kilobytes;
        else if (sscanf(line, "Swap: %lu kB", &kilobytes) == 1) current.present += kilobytes;
        else if (strncmp(line, "VmFlags:", 8) == 0) {
            // The last line of each mapping.
            snprintf(current.flags, sizeof current.flags, "%.*s", (int)strcspn(line + 8, "\n"), line + 8);
            if (current.present > 0) scan_mapping(scan, &current, whole, folder);
        }
    }
    free(scan->part);
    free(text);
}

// MARK: arguments and environment

static void scan_file(scan *scan, int file, residue_place place, const char *name) {
    uint8_t bytes[64 * 1024];
    ssize_t count = pread(file, bytes, sizeof bytes, 0);
    if (count < 0) return unread(scan, name, errno);
    add(scan, bytes, (size_t)count, 0, place, name);
}

residue_search residue_scan(residue_run *run, const residue_table *table, bool whole, const char *folder,
                            residue_hit *hits, size_t capacity) {
    scan scan = {.run = run, .table = table, .hits = hits, .capacity = capacity};
    scan.page = (uint64_t)sysconf(_SC_PAGESIZE);
    scan_registers(&scan);
    scan_memory(&scan, whole, folder);
    scan_file(&scan, run->arguments, RESIDUE_ARGUMENTS, "/proc/PID/cmdline");
    scan_file(&scan, run->environment, RESIDUE_ENVIRONMENT, "/proc/PID/environ");
    return scan.search;
}
