#define _GNU_SOURCE
#include "operations.h"
#include "rows.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/// Read before the sandbox begins.
static pid_t parent;
__attribute__((constructor)) static void remember_parent(void) { parent = getppid(); }
int operation_parent(void) { return parent; }

// MARK: the network

OPERATION(socket_inet) { RESULT(socket(AF_INET, SOCK_STREAM, 0)); }
OPERATION(socket_inet6_udp) { RESULT(socket(AF_INET6, SOCK_DGRAM, 0)); }
OPERATION(socket_unix) { RESULT(socket(AF_UNIX, SOCK_STREAM, 0)); }
OPERATION(socket_netlink) { RESULT(socket(AF_NETLINK, SOCK_RAW, 0)); }
OPERATION(socket_pair) {
    int pair[2];
    RESULT(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
}
OPERATION(bind_tcp) {
    int file = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    RESULT(file < 0 ? -1 : bind(file, (struct sockaddr *)&address, sizeof address));
}
// No process listens on this port: without a sandbox the connection is refused.
OPERATION(connect_tcp) {
    int file = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(1), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    RESULT(file < 0 ? -1 : connect(file, (struct sockaddr *)&address, sizeof address));
}

// MARK: programs, processes and threads

OPERATION(exec_program) {
    char *arguments[] = {"true", NULL};
    RESULT(execve("/bin/true", arguments, NULL));
}
OPERATION(exec_descriptor) {
    char *arguments[] = {"true", NULL};
    int file = open("/bin/true", O_PATH | O_CLOEXEC);
    RESULT(file < 0 ? -1 : syscall(SYS_execveat, file, "", arguments, NULL, AT_EMPTY_PATH));
}
static int end_child(long process) {
    if (process < 0) return errno;
    if (process == 0) _exit(0);
    waitpid((pid_t)process, NULL, 0);
    return 0;
}
OPERATION(fork_process) { return end_child(fork()); }
OPERATION(clone_process) { return end_child(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }
OPERATION(clone3_process) {
    uint64_t arguments[8] = {[4] = SIGCHLD};
    return end_child(syscall(SYS_clone3, arguments, sizeof arguments));
}
OPERATION(vfork_process) {
    pid_t process = vfork();
    if (process == 0) _exit(0);
    return end_child(process);
}
static void *do_nothing(void *nothing) { return nothing; }
OPERATION(start_thread) {
    pthread_t thread;
    int error = pthread_create(&thread, NULL, do_nothing, NULL);
    if (error == 0) pthread_join(thread, NULL);
    return error;
}
OPERATION(kill_parent) { RESULT(kill(parent, 0)); }
OPERATION(kill_group) { RESULT(kill(0, 0)); }
OPERATION(kill_all) { RESULT(kill(-1, 0)); }
OPERATION(tgkill_parent) { RESULT(syscall(SYS_tgkill, parent, parent, 0)); }
OPERATION(queue_signal) {
    siginfo_t info = {.si_code = SI_QUEUE};
    RESULT(syscall(SYS_rt_sigqueueinfo, getpid(), 0, &info));
}
OPERATION(own_signals) {
    int file = open("input", O_RDONLY);
    RESULT(file < 0 ? -1 : fcntl(file, F_SETOWN, parent));
}

// MARK: other processes' memory, and the kernel

OPERATION(ptrace_me) { RESULT(ptrace(PTRACE_TRACEME, 0, 0, 0)); }
static char one = 1, other;
OPERATION(process_read) {
    struct iovec to = {&other, 1}, from = {&one, 1};
    RESULT(process_vm_readv(getpid(), &to, 1, &from, 1, 0));
}
OPERATION(process_write) {
    struct iovec from = {&one, 1}, to = {&other, 1};
    RESULT(process_vm_writev(getpid(), &from, 1, &to, 1, 0));
}
OPERATION(parent_memory) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", parent);
    RESULT(open(path, O_RDONLY));
}
OPERATION(pidfd) { RESULT(syscall(SYS_pidfd_open, getpid(), 0)); }
// The following calls have invalid arguments or need privileges: without a sandbox the kernel
// checks them and returns an error other than EPERM.
OPERATION(pidfd_getfd) { RESULT(syscall(SYS_pidfd_getfd, -1, 0, 0)); }
OPERATION(io_uring) { RESULT(syscall(SYS_io_uring_setup, 0, NULL)); }
OPERATION(bpf_call) { RESULT(syscall(SYS_bpf, 12345, NULL, 0)); }
OPERATION(keyctl_call) { RESULT(syscall(SYS_keyctl, 12345, 0, 0, 0, 0)); }
OPERATION(mount_call) { RESULT(syscall(SYS_mount, NULL, NULL, NULL, 0, NULL)); }
OPERATION(perf_event) { RESULT(syscall(SYS_perf_event_open, NULL, 0, 0, 0, 0)); }
// UFFD_USER_MODE_ONLY, which needs no privilege, and a flag that no kernel supports.
OPERATION(fault_handler) { RESULT(syscall(SYS_userfaultfd, 0x40000001)); }
OPERATION(anonymous_file) { RESULT(memfd_create("x", 0)); }
OPERATION(shared_memory) { RESULT(shmget(IPC_PRIVATE, 4096, 0600)); }
OPERATION(unshare_nothing) { RESULT(unshare(0)); }
OPERATION(own_user) { RESULT(syscall(SYS_setuid, getuid())); }
OPERATION(read_persona) { RESULT(personality(0xffffffff)); }
OPERATION(another_filter) { RESULT(syscall(SYS_seccomp, 2, 0, &(uint32_t){0})); }
OPERATION(dumpable) { RESULT(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)); }
OPERATION(raise_limit) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) != 0) return errno;
    RESULT(setrlimit(RLIMIT_CORE, &limit));
}
OPERATION(limit_of_parent) {
    struct rlimit limit;
    RESULT(prlimit(parent, RLIMIT_CORE, NULL, &limit));
}
OPERATION(future_call) { RESULT(syscall(5000)); }
OPERATION(skipped_call) { RESULT(syscall(-1)); }
OPERATION(x32_call) { RESULT(syscall(0x40000000 + SYS_getpid)); }
OPERATION(i386_call) {
#ifdef __x86_64__
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");  // getpid
    return result < 0 ? (int)-result : 0;
#else
    return raise(SIGSYS);
#endif
}

// MARK: executable memory

OPERATION(map_executable) {
    return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? errno : 0;
}
OPERATION(make_executable) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    RESULT(page == MAP_FAILED ? -1 : mprotect(page, 4096, PROT_READ | PROT_EXEC));
}
OPERATION(make_executable_by_key) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    RESULT(page == MAP_FAILED ? -1 : syscall(SYS_pkey_mprotect, page, 4096, PROT_READ | PROT_EXEC, -1));
}

// MARK: the terminal

OPERATION(type_into_terminal) {
    int file = open("/dev/tty", O_RDWR | O_NOCTTY);
    RESULT(file < 0 ? -1 : ioctl(file, TIOCSTI, "x"));
}
OPERATION(take_terminal) { RESULT(ioctl(0, TIOCSCTTY, 0)); }
OPERATION(hide_typing) {
    struct termios settings;
    int file = open("/dev/tty", O_RDWR | O_NOCTTY);
    if (file < 0 || tcgetattr(file, &settings) != 0) return errno;
    if (tcsetattr(file, TCSAFLUSH, &settings) != 0 || tcflush(file, TCIFLUSH) != 0) return errno;
    RESULT(write(file, "shown\n", 6));
}
OPERATION(terminal_as_input) {
    // The program opens a file like this to read a secret, and must recognise a terminal.
    int file = open("/dev/tty", O_RDONLY | O_NOCTTY);
    return file >= 0 && isatty(file) ? 0 : errno;
}

// MARK: files

OPERATION(read_secret) { RESULT(open("secret", O_RDONLY)); }
OPERATION(read_passwords) { RESULT(open("/etc/passwd", O_RDONLY)); }
OPERATION(read_by_symbolic_link) { RESULT(open("inside/escape", O_RDONLY)); }
OPERATION(read_by_dots) { RESULT(open("inside/../secret", O_RDONLY)); }
OPERATION(write_secret) { RESULT(open("secret", O_WRONLY)); }
OPERATION(truncate_secret) { RESULT(open("secret", O_WRONLY | O_TRUNC)); }
OPERATION(truncate_by_name) { RESULT(truncate("secret", 0)); }
OPERATION(write_input) { RESULT(open("input", O_WRONLY)); }
OPERATION(remove_secret) { RESULT(unlink("secret")); }
OPERATION(create_outside) { RESULT(open("outside/new", O_WRONLY | O_CREAT | O_EXCL, 0600)); }
OPERATION(make_folder_outside) { RESULT(mkdir("outside/new", 0700)); }
OPERATION(make_folder_inside) { RESULT(mkdir("inside/new", 0700)); }
OPERATION(list_outside) { RESULT(open("outside", O_RDONLY | O_DIRECTORY)); }
OPERATION(rename_out) { RESULT(rename("inside/file", "outside/file")); }
OPERATION(rename_in) { RESULT(rename("secret", "inside/secret")); }
OPERATION(rename_across) { RESULT(rename("inside/file", "out/file")); }
OPERATION(link_across) { RESULT(link("inside/file", "out/file")); }
OPERATION(link_in) { RESULT(link("secret", "inside/secret")); }
OPERATION(link_out) { RESULT(link("inside/file", "outside/file")); }
OPERATION(make_symbolic_link) { RESULT(symlink("../secret", "inside/another")); }
OPERATION(make_fifo) { RESULT(mkfifo("inside/fifo", 0600)); }
OPERATION(read_out) {
    int file = open("out/new", O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (file < 0) return errno;
    RESULT(open("out/new", O_RDONLY));
}
OPERATION(change_mode) { RESULT(chmod("secret", 0666)); }
OPERATION(change_mode_of_open) {
    int file = open("inside/file", O_RDONLY);
    RESULT(file < 0 ? -1 : fchmod(file, 0640));
}
OPERATION(change_owner) {
    int file = open("inside/file", O_RDONLY);
    RESULT(file < 0 ? -1 : fchown(file, getuid(), getgid()));
}
OPERATION(change_times) { RESULT(utimensat(AT_FDCWD, "secret", NULL, 0)); }
OPERATION(change_attribute) { RESULT(removexattr("secret", "user.none")); }
OPERATION(change_root) { RESULT(syscall(SYS_chroot, "")); }

// MARK: devices, sockets and inherited descriptors

static int connection = -1;
int operation_connect(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    const int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file < 0 || connect(file, (struct sockaddr *)&address, sizeof address) == 0) return file;
    const int error = errno;
    close(file);
    errno = error;
    return -1;
}

void operation_use_connection(int file) { connection = file; }

static struct sockaddr_un address_of(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strcpy(address.sun_path, path);
    return address;
}
static int listen_at(const char *path, int number) {
    struct sockaddr_un address = address_of(path);
    int file = socket(AF_UNIX, SOCK_STREAM, 0);
    if (file < 0 || bind(file, (struct sockaddr *)&address, sizeof address) != 0 || listen(file, 4) != 0) return -1;
    return dup2(file, number) < 0 ? -1 : close(file);
}
static int open_secret_as(int number) {
    int file = open("secret", O_RDWR);
    return file < 0 || dup2(file, number) < 0 ? -1 : close(file);
}
int operation_prepare(void) {
    if (listen_at("socket", OPERATION_LISTENER) != 0 || listen_at("other", OPERATION_OTHER_LISTENER) != 0) return -1;
    if (agent_operations_prepare() != 0) return -1;
    return open_secret_as(OPERATION_NAMED) != 0 || open_secret_as(OPERATION_UNNAMED) != 0 ? -1 : 0;
}
static int connect_to(const char *path) {
    struct sockaddr_un address = address_of(path);
    int file = socket(AF_UNIX, SOCK_STREAM, 0);
    return file < 0 || connect(file, (struct sockaddr *)&address, sizeof address) != 0 ? -1 : file;
}
OPERATION(use_named_device) {
    int file = open("/dev/null", O_RDWR);
    RESULT(file < 0 ? -1 : write(file, "x", 1));
}
OPERATION(use_other_device) { RESULT(open("/dev/zero", O_RDWR)); }
OPERATION(use_file_as_device) { RESULT(open("secret", O_RDWR)); }
OPERATION(use_named_socket) {
    int file = connection < 0 ? connect_to("socket") : connection;
    RESULT(file < 0 ? -1 : write(file, "x", 1));
}
OPERATION(use_other_socket) { RESULT(connect_to("other")); }
OPERATION(use_named_socket_again) { RESULT(connect_to("socket")); }
OPERATION(make_socket) { RESULT(listen_at("inside/new", OPERATION_OTHER_LISTENER)); }
OPERATION(use_named_descriptor) { RESULT(write(OPERATION_NAMED, "x", 1)); }
OPERATION(use_unnamed_descriptor) { RESULT(write(OPERATION_UNNAMED, "x", 1)); }
OPERATION(use_unnamed_listener) { RESULT(fcntl(OPERATION_OTHER_LISTENER, F_GETFD)); }

// MARK: operations that a command needs

OPERATION(read_input) { RESULT(open("input", O_RDONLY)); }
OPERATION(read_inside) { RESULT(open("inside/file", O_RDWR)); }
OPERATION(look_at_secret) {
    struct stat status;
    RESULT(stat("secret", &status));
}
OPERATION(replace_inside) {
    int file = open("inside/new", O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0 || fchmod(file, 0600) != 0 || write(file, "x", 1) != 1 || fsync(file) != 0) return errno;
    struct flock lock = {.l_type = F_WRLCK};
    if (fcntl(file, F_SETLK, &lock) != 0 || ftruncate(file, 0) != 0 || close(file) != 0) return errno;
    if (renameat2(AT_FDCWD, "inside/new", AT_FDCWD, "inside/newer", RENAME_NOREPLACE) != 0) return errno;
    if (link("inside/newer", "inside/second") != 0 || unlink("inside/second") != 0) return errno;
    if (rename("inside/newer", "inside/file") != 0 || unlink("inside/file") != 0) return errno;
    int folder = open("inside", O_RDONLY | O_DIRECTORY);
    RESULT(folder < 0 ? -1 : fsync(folder));
}
OPERATION(create_out) {
    int file = open("out/.new", O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (file < 0 || write(file, "x", 1) != 1 || rename("out/.new", "out/new") != 0) return errno;
    int folder = open("out", O_RDONLY | O_DIRECTORY);
    RESULT(folder < 0 ? -1 : fsync(folder));
}
/// Names two files that have no name: one by its descriptor, one through /proc.
static int make_unnamed(const char *folder, const char *first, const char *second) {
    int file = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    int other = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (file < 0 || other < 0 || write(file, "x", 1) != 1 || fsync(file) != 0) return errno;
    // Before Linux 6.10 only a privileged process can name a file by its descriptor.
    if (linkat(file, "", AT_FDCWD, first, AT_EMPTY_PATH) != 0 && errno != ENOENT) return errno;
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", other);
    RESULT(linkat(AT_FDCWD, path, AT_FDCWD, second, AT_SYMLINK_FOLLOW));
}
OPERATION(name_inside) { return make_unnamed("inside", "inside/unnamed", "inside/second-unnamed"); }
OPERATION(name_out) { return make_unnamed("out", "out/unnamed", "out/second-unnamed"); }
OPERATION(name_across) { return make_unnamed("inside", "out/unnamed", "out/second-unnamed"); }
OPERATION(use_memory) {
    char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED || mlock(page, 4096) != 0 || madvise(page, 4096, MADV_DONTDUMP) != 0) return errno;
    if (madvise(page, 4096, MADV_WIPEONFORK) != 0 || mprotect(page + 4096, 4096, PROT_NONE) != 0) return errno;
    if (munlock(page, 4096) != 0 || munmap(page, 8192) != 0) return errno;
    // Large enough for malloc to use mmap, and for realloc to use mremap.
    void *large = malloc(1 << 22);
    void *larger = large ? realloc(large, 1 << 24) : NULL;
    free(larger);
    return larger ? 0 : ENOMEM;
}
OPERATION(use_time_and_randomness) {
    char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) return errno;
    struct timespec time = {.tv_nsec = 1000}, now;
    if (nanosleep(&time, NULL) != 0 || clock_gettime(CLOCK_MONOTONIC, &now) != 0) return errno;
    struct pollfd none = {.fd = -1};
    RESULT(ppoll(&none, 1, &time, NULL) < 0 || poll(&none, 1, 1) < 0 ? -1 : 0);
}
static void ignore(int signal) { (void)signal; }
OPERATION(use_signals) {
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    if (signal(SIGUSR1, ignore) == SIG_ERR || sigprocmask(SIG_BLOCK, &set, &old) != 0) return errno;
    if (raise(SIGUSR1) != 0) return errno;
    if (sigprocmask(SIG_SETMASK, &old, NULL) != 0) return errno;
    RESULT(kill(getpid(), 0));
}
OPERATION(read_limits) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return errno;
    return sysconf(_SC_PHYS_PAGES) > 0 && sysconf(_SC_NPROCESSORS_ONLN) > 0 ? 0 : ENOSYS;
}

// MARK: ways to end the process

OPERATION(die_by_abort) { abort(); }
OPERATION(die_by_trap) { __builtin_trap(); }
OPERATION(die_by_address) { return *(volatile int *)8; }
OPERATION(die_by_signal) { return raise(SIGTERM); }

static const struct operation operations[] = {
    ROW(socket_inet), ROW(socket_inet6_udp), ROW(socket_unix), ROW(socket_netlink), ROW(socket_pair), ROW(bind_tcp),
    ROW(connect_tcp), ROW(exec_program), ROW(exec_descriptor), ROW(fork_process), ROW(clone_process),
    ROW(clone3_process), ROW(vfork_process), ROW(start_thread), ROW(kill_parent), ROW(kill_group), ROW(kill_all),
    ROW(tgkill_parent), ROW(queue_signal), ROW(own_signals), ROW(ptrace_me), ROW(process_read), ROW(process_write),
    ROW(parent_memory), ROW(pidfd), ROW(pidfd_getfd), ROW(io_uring), ROW(bpf_call), ROW(keyctl_call),
    ROW(mount_call), ROW(perf_event), ROW(fault_handler), ROW(anonymous_file), ROW(shared_memory),
    ROW(unshare_nothing), ROW(own_user), ROW(read_persona), ROW(another_filter), ROW(dumpable), ROW(raise_limit),
    ROW(limit_of_parent), ROW(future_call), ROW(skipped_call), ROW(x32_call), ROW(i386_call), ROW(map_executable),
    ROW(make_executable), ROW(make_executable_by_key), ROW(type_into_terminal), ROW(take_terminal),
    ROW(hide_typing), ROW(terminal_as_input), ROW(read_secret), ROW(read_passwords), ROW(read_by_symbolic_link),
    ROW(read_by_dots), ROW(write_secret), ROW(truncate_secret), ROW(truncate_by_name), ROW(write_input),
    ROW(remove_secret), ROW(create_outside), ROW(make_folder_outside), ROW(make_folder_inside), ROW(list_outside),
    ROW(rename_out), ROW(rename_in), ROW(rename_across), ROW(link_across), ROW(link_in), ROW(link_out),
    ROW(make_symbolic_link), ROW(make_fifo), ROW(read_out), ROW(change_mode), ROW(change_mode_of_open),
    ROW(change_owner), ROW(change_times), ROW(change_attribute), ROW(change_root), ROW(read_input),
    ROW(read_inside), ROW(look_at_secret), ROW(name_inside), ROW(name_out), ROW(name_across), ROW(replace_inside),
    ROW(use_named_device), ROW(use_other_device), ROW(use_file_as_device), ROW(use_named_socket),
    ROW(use_other_socket), ROW(use_named_socket_again), ROW(make_socket), ROW(use_named_descriptor),
    ROW(use_unnamed_descriptor), ROW(use_unnamed_listener), ROW(create_out), ROW(use_memory),
    ROW(use_time_and_randomness), ROW(use_signals), ROW(read_limits),
    ROW(die_by_abort), ROW(die_by_trap), ROW(die_by_address), ROW(die_by_signal),
};

const char *operation_name(int number) {
    const int count = (int)COUNT(operations);
    return number < count ? operations[number].name : agent_operations[number - count].name;
}

int operation_run(const char *name) {
    for (size_t i = 0; i < COUNT(operations); i++) {
        if (strcmp(operations[i].name, name) == 0) return operations[i].run();
    }
    for (const struct operation *row = agent_operations; row->name; row++) {
        if (strcmp(row->name, name) == 0) return row->run();
    }
    return -1;
}
