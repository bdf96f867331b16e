#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>
#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <linux/videodev2.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

// MARK: Landlock

// The headers of a distribution may be older than the kernels that its programs run on. The
// interface is therefore declared here as the newest kernel has it (include/uapi/linux/landlock.h).
// An older kernel accepts the longer struct when the fields that it does not know are zero.

struct landlock_ruleset {
    uint64_t handled_access_fs, handled_access_net, scoped;
};

struct landlock_path_beneath {
    uint64_t allowed_access;
    int32_t parent_fd;
} __attribute__((packed));

enum { CREATE_RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };

int sandbox_landlock_version(void) {
    // ENOSYS: not built in, or a filter on this process returns it. EOPNOTSUPP: not among the
    // active security modules.
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
    if (version > 0) return (int)version;
    return errno == ENOSYS || errno == EOPNOTSUPP ? 0 : -1;
}

int sandbox_make_ruleset(uint64_t files, uint64_t network, uint64_t scopes) {
    struct landlock_ruleset ruleset = {files, network, scopes};
    // The kernel sets close-on-exec on this descriptor.
    return (int)syscall(SYS_landlock_create_ruleset, &ruleset, sizeof ruleset, 0);
}

int sandbox_add_rule(int ruleset, int descriptor, uint64_t rights) {
    struct landlock_path_beneath rule = {rights, descriptor};
    return (int)syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0);
}

int sandbox_enforce_ruleset(int ruleset) { return (int)syscall(SYS_landlock_restrict_self, ruleset, 0); }

int sandbox_forbid_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

// MARK: seccomp

int sandbox_has_seccomp(void) {
    // This is the call that installs a filter. A kernel that supports it goes on to read the filter
    // at address 0, and fails with EFAULT.
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, NULL) == 0) return 0;
    if (errno == EFAULT) return 1;
    // EINVAL: the kernel has the call, but filters are not built in.
    return errno == ENOSYS || errno == EOPNOTSUPP || errno == EINVAL ? 0 : -1;
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the system call filter is not implemented for this processor"
#endif
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the offsets of the halves of an argument are for little-endian processors"
#endif

// file_setattr of Linux 6.17. From 424 on, numbers are the same on all processors.
#define NEWEST_KNOWN_CALL 469

// Calls that are allowed with any arguments to a process that reads and writes files. Files are
// opened, created, renamed and removed by name, so Landlock restricts these calls. On a kernel
// without Landlock, the process can access the same files as its user.
static const int file_calls[] = {
    // Operations on open descriptors.
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_lseek, SYS_close, SYS_fstat,
    SYS_fstatfs, SYS_fsync, SYS_fdatasync, SYS_ftruncate, SYS_fadvise64, SYS_getdents64, SYS_ppoll, SYS_pselect6,
    // Operations on paths.
    SYS_openat, SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_readlinkat, SYS_getcwd, SYS_mkdirat, SYS_unlinkat,
    SYS_renameat, SYS_renameat2, SYS_linkat,
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
#ifdef __x86_64__
    // The older calls without a folder descriptor. On this processor only, glibc still uses them.
    SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_mkdir, SYS_rmdir, SYS_unlink, SYS_rename, SYS_link,
    SYS_poll, SYS_select, SYS_time,
#endif
    // Memory. mmap and mprotect are below, without executable memory.
    SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise, SYS_mlock, SYS_mlock2, SYS_munlock,
    // Time and randomness. restart_syscall continues a wait after the program was stopped and
    // continued.
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_gettimeofday, SYS_nanosleep, SYS_restart_syscall,
    SYS_getrandom,
    // Handling, blocking, waiting for and reading signals. Sending signals is below.
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigsuspend, SYS_rt_sigpending, SYS_rt_sigtimedwait,
    SYS_sigaltstack, SYS_signalfd4,
    // Properties of this process and this machine.
    SYS_getpid, SYS_gettid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getrusage, SYS_sysinfo, SYS_uname,
    SYS_sched_getaffinity, SYS_sched_yield,
    // Locks of libraries that support threads. Only the agent has several threads.
    SYS_futex,
    // Landlock only removes rights: a second ruleset narrows the first.
    SYS_landlock_create_ruleset, SYS_landlock_add_rule, SYS_landlock_restrict_self,
    SYS_exit, SYS_exit_group,
};

// Linux 5.9; older headers do not name it.
#define CLOSE_RANGE 436

// A scanner starts a child for each picture. The child then takes the profile of a decoder, which
// needs the calls seccomp and prlimit64.
static const int child_calls[] = {
    SYS_wait4, SYS_pipe2, SYS_seccomp, SYS_set_robust_list, SYS_getppid, CLOSE_RANGE,
};

// A decoder has its picture in memory, and writes what it finds to a pipe. It opens nothing.
static const int decoder_calls[] = {
    SYS_write, SYS_close, SYS_fstat, SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise, SYS_clock_gettime, SYS_gettimeofday,
    SYS_getrandom, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_getpid, SYS_gettid, SYS_sched_yield, SYS_futex,
    SYS_exit, SYS_exit_group,
#ifdef __x86_64__
    SYS_time,
#endif
};

// An agent accepts and serves the connections of a socket that listens already. It starts threads,
// which is below. Messages with descriptors only arrive.
static const int agent_calls[] = {
    SYS_accept4, SYS_getsockopt, SYS_recvfrom, SYS_recvmsg, SYS_shutdown, SYS_set_robust_list, SYS_rseq,
};

// A client of the agent has one connection.
static const int agent_client_calls[] = {SYS_recvfrom, SYS_shutdown};

// Linux 5.3; older headers do not name it.
#define CLONE3 435

// The requests of a camera that delivers frames (V4L2): its properties, the format of a frame, and
// its buffers. The controls of the lens and the light are not in the list.
static const uint32_t camera_requests[] = {
    VIDIOC_QUERYCAP, VIDIOC_ENUM_FMT, VIDIOC_S_FMT, VIDIOC_REQBUFS, VIDIOC_QUERYBUF, VIDIOC_QBUF, VIDIOC_DQBUF,
    VIDIOC_STREAMON, VIDIOC_STREAMOFF,
};

// A child in a new namespace could have more rights there.
#define NAMESPACES \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

// Terminal requests: check for a terminal, echo off and on, discard typed input, query the width.
// TIOCSTI, which pushes input to the shell that started the program, is not in the list, nor is
// TIOCLINUX.
static const uint32_t terminal_requests[] = {
    TCGETS, TCSETS, TCSETSW, TCSETSF, TCGETS2, TCSETS2, TCSETSW2, TCSETSF2, TCFLSH, TIOCGWINSZ, TIOCGPGRP,
};

// SQLite's locks, and queries on descriptors. F_SETOWN and F_SETSIG, which make the kernel send
// signals to other processes, are not in the list.
static const uint32_t descriptor_commands[] = {
    F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD, F_DUPFD_CLOEXEC, F_GETLK, F_SETLK, F_SETLKW,
};

enum { CAPACITY = 512 };

typedef struct {
    struct sock_filter code[CAPACITY];
    size_t count;
} filter;

static void add(filter *filter, uint16_t code, uint32_t value, uint8_t if_true, uint8_t if_false) {
    // Instructions that do not fit are only counted; sandbox_make_filter then refuses the filter.
    if (filter->count < CAPACITY)
        filter->code[filter->count] = (struct sock_filter)BPF_JUMP(code, value, if_true, if_false);
    filter->count++;
}

static void load(filter *filter, size_t offset) { add(filter, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0); }
static void end(filter *filter, uint32_t action) { add(filter, BPF_RET | BPF_K, action, 0, 0); }
static void skip_unless_equal(filter *filter, uint32_t value, uint8_t skipped) {
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped);
}

/// The offset of the lower half of an argument. The kernel ignores the upper half of an int
/// argument.
static size_t lower(int argument) { return offsetof(struct seccomp_data, args) + 8 * (size_t)argument; }
static size_t upper(int argument) { return lower(argument) + 4; }

// For a known call that is not allowed, or not with these arguments. The filter returns EPERM and
// does not kill the process, for three reasons: libraries that try one call first have a fallback;
// the program undoes a half-done change itself, and not at its next start; the user gets an error
// message. Repeated attempts gain nothing: no order of refused calls makes another call possible.
static const uint32_t refused = SECCOMP_RET_ERRNO | EPERM;
// For a call that is newer than this file: the same result as from an older kernel. Libraries test
// for this error and fall back.
static const uint32_t unknown = SECCOMP_RET_ERRNO | ENOSYS;

/// Calls with consecutive numbers.
typedef struct {
    uint32_t first, last;
} range;

/// Calls that a profile allows with any arguments.
typedef struct {
    const int *calls;
    size_t count;
} call_list;

#define LIST(calls) {calls, COUNT(calls)}
static const call_list base_lists[] = {
    [SANDBOX_SIGNER] = LIST(file_calls),       [SANDBOX_SCANNER] = LIST(file_calls),
    [SANDBOX_DECODER] = LIST(decoder_calls),   [SANDBOX_AGENT] = LIST(file_calls),
    [SANDBOX_AGENT_CLIENT] = LIST(file_calls),
};
static const call_list further_lists[] = {
    [SANDBOX_SIGNER] = {NULL, 0},
    [SANDBOX_SCANNER] = LIST(child_calls),
    [SANDBOX_DECODER] = {NULL, 0},
    [SANDBOX_AGENT] = LIST(agent_calls),
    [SANDBOX_AGENT_CLIENT] = LIST(agent_client_calls),
};

// The largest of both.
enum { MOST_OPEN_CALLS = COUNT(file_calls) + COUNT(child_calls) + COUNT(agent_calls) };

/// Adds the calls of a list to sorted numbers. Returns their count.
static size_t insert(uint32_t numbers[MOST_OPEN_CALLS], size_t count, call_list added) {
    for (size_t i = 0; i < added.count; i++) {
        const uint32_t number = (uint32_t)added.calls[i];
        size_t place = count++;
        for (; place > 0 && numbers[place - 1] > number; place--) numbers[place] = numbers[place - 1];
        numbers[place] = number;
    }
    return count;
}

/// The calls that a profile allows with any arguments, as sorted ranges.
static size_t open_ranges(enum sandbox_profile profile, range ranges[MOST_OPEN_CALLS]) {
    uint32_t numbers[MOST_OPEN_CALLS];
    size_t calls = insert(numbers, 0, base_lists[profile]), count = 0;
    calls = insert(numbers, calls, further_lists[profile]);
    for (size_t i = 0; i < calls; i++) {
        if (count > 0 && numbers[i] <= ranges[count - 1].last + 1) ranges[count - 1].last = numbers[i];
        else ranges[count++] = (range){numbers[i], numbers[i]};
    }
    return count;
}

/// Allows the calls of these ranges by a binary search. The kernel evaluates the filter for every
/// call number when it installs the filter, and a chain of comparisons takes it longer than
/// everything else. A call in none of the ranges continues after this code.
static void allow_ranges(filter *filter, const range *ranges, size_t count) {
    if (count == 1) {
        add(filter, BPF_JMP | BPF_JGE | BPF_K, ranges->first, 0, 2);
        add(filter, BPF_JMP | BPF_JGT | BPF_K, ranges->last, 1, 0);
        end(filter, SECCOMP_RET_ALLOW);
        return;
    }
    const size_t half = count / 2, jump = filter->count;
    add(filter, BPF_JMP | BPF_JGE | BPF_K, ranges[half].first, 0, 0);
    allow_ranges(filter, ranges, half);
    const size_t over = filter->count;
    add(filter, BPF_JMP | BPF_JA, 0, 0, 0);
    const size_t distance = filter->count - jump - 1;
    if (distance > UINT8_MAX) filter->count = CAPACITY + 1;
    else if (jump < CAPACITY) filter->code[jump].jt = (uint8_t)distance;
    allow_ranges(filter, ranges + half, count - half);
    if (over < CAPACITY) filter->code[over].k = (uint32_t)(filter->count - over - 1);
}

static void allow_each(filter *filter, const uint32_t *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        skip_unless_equal(filter, values[i], 1);
        end(filter, SECCOMP_RET_ALLOW);
    }
}

/// Allows a call when an argument is one of these values, or one of further values.
static void allow_either(
    filter *filter, int call, int argument, const uint32_t *values, size_t count, const uint32_t *more, size_t added) {
    skip_unless_equal(filter, (uint32_t)call, (uint8_t)(2 + 2 * (count + added)));
    load(filter, lower(argument));
    allow_each(filter, values, count);
    allow_each(filter, more, added);
    end(filter, refused);
}

/// Allows a call when an argument is one of these values.
static void allow_values(filter *filter, int call, int argument, const uint32_t *values, size_t count) {
    allow_either(filter, call, argument, values, count, NULL, 0);
}

/// Allows a call when an argument has none of these bits.
static void allow_without(filter *filter, int call, int argument, uint32_t bits) {
    skip_unless_equal(filter, (uint32_t)call, 4);
    load(filter, lower(argument));
    add(filter, BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0);
    end(filter, SECCOMP_RET_ALLOW);
    end(filter, refused);
}

/// Allows a call when these halves of its arguments are zero.
static void allow_zeros(filter *filter, int call, const size_t *halves, size_t count) {
    skip_unless_equal(filter, (uint32_t)call, (uint8_t)(2 * count + 2));
    for (size_t i = 0; i < count; i++) {
        load(filter, halves[i]);
        skip_unless_equal(filter, 0, (uint8_t)(2 * (count - i) - 1));
    }
    end(filter, SECCOMP_RET_ALLOW);
    end(filter, refused);
}

/// Allows reading a limit of this process, and setting one if `sets`.
static void allow_limits(filter *filter, int sets) {
    const size_t zeros[] = {lower(0), lower(2), upper(2)};  // pid, and both halves of the new limit's address
    allow_zeros(filter, SYS_prlimit64, zeros, sets ? 1 : COUNT(zeros));
}

/// Allows sending to the other end of a connection, and to no address: a datagram socket could
/// otherwise reach each socket that is a file.
static void allow_sending(filter *filter) {
    const size_t address[] = {lower(4), upper(4)};
    allow_zeros(filter, SYS_sendto, address, COUNT(address));
}

/// Allows new threads. The kernel reads the arguments of clone3 from memory, which a filter can't
/// check; glibc uses clone where the kernel does not have clone3.
static void allow_threads(filter *filter) {
    skip_unless_equal(filter, CLONE3, 1);
    end(filter, unknown);
    skip_unless_equal(filter, SYS_clone, 6);
    load(filter, lower(0));
    add(filter, BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 3, 0);
    add(filter, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 2);
    add(filter, BPF_JMP | BPF_JSET | BPF_K, CLONE_VM, 0, 1);
    end(filter, SECCOMP_RET_ALLOW);
    end(filter, refused);
}

/// Allows requests on files, terminals and, for a scanner, cameras and children.
static void allow_file_requests(filter *filter, enum sandbox_profile profile) {
    // Only for a new file. The allowed modes give no access to other users.
    allow_without(filter, SYS_fchmod, 1, 07177);
    const size_t cameras = profile == SANDBOX_SCANNER ? COUNT(camera_requests) : 0;
    allow_either(
        filter, SYS_ioctl, 1, terminal_requests, COUNT(terminal_requests), camera_requests, cameras);
    allow_values(filter, SYS_fcntl, 1, descriptor_commands, COUNT(descriptor_commands));
    if (profile != SANDBOX_SCANNER) return;
    allow_without(filter, SYS_clone, 0, NAMESPACES);
    // A child asks to be ended with its parent.
    const uint32_t end_with_parent = PR_SET_PDEATHSIG;
    allow_values(filter, SYS_prctl, 0, &end_with_parent, 1);
}

/// Builds the filter. `count` may exceed CAPACITY; the caller checks it.
static void make(filter *filter, enum sandbox_profile profile) {
    filter->count = 0;
    load(filter, offsetof(struct seccomp_data, arch));
    skip_unless_equal(filter, ARCHITECTURE, 1);
    add(filter, BPF_JMP | BPF_JA, 1, 0, 0);
    // Another architecture (int 0x80) has another table of call numbers. No correct program makes
    // such a call.
    end(filter, SECCOMP_RET_KILL_PROCESS);

    load(filter, offsetof(struct seccomp_data, nr));
    // This includes the calls of x32, which have bit 30 set, and -1, which a tracer sets to skip a
    // call.
    add(filter, BPF_JMP | BPF_JGT | BPF_K, NEWEST_KNOWN_CALL, 0, 1);
    end(filter, unknown);

    range ranges[MOST_OPEN_CALLS];
    allow_ranges(filter, ranges, open_ranges(profile, ranges));
    allow_without(filter, SYS_mmap, 2, PROT_EXEC);
    allow_without(filter, SYS_mprotect, 2, PROT_EXEC);
    if (profile != SANDBOX_DECODER) allow_file_requests(filter, profile);
    if (profile == SANDBOX_AGENT || profile == SANDBOX_AGENT_CLIENT) allow_sending(filter);
    if (profile == SANDBOX_AGENT) allow_threads(filter);
    const uint32_t self = (uint32_t)getpid();
    allow_values(filter, SYS_kill, 0, &self, 1);
    allow_values(filter, SYS_tgkill, 0, &self, 1);
    allow_limits(filter, profile == SANDBOX_SCANNER);
    end(filter, refused);
}

size_t sandbox_make_filter(enum sandbox_profile profile, struct sock_filter *code, size_t capacity) {
    filter filter;
    make(&filter, profile);
    if (filter.count > CAPACITY || filter.count > capacity) return 0;
    for (size_t i = 0; i < filter.count; i++) code[i] = filter.code[i];
    return filter.count;
}

int sandbox_filter_calls(enum sandbox_profile profile) {
    struct sock_filter code[CAPACITY];
    const size_t count = sandbox_make_filter(profile, code, CAPACITY);
    if (count == 0) {
        errno = E2BIG;
        return -1;
    }
    const struct sock_fprog program = {(unsigned short)count, code};
    // A positive result is the id of a thread that the filter could not be applied to.
    const long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    if (result > 0) errno = ESRCH;
    return result == 0 ? 0 : -1;
}
