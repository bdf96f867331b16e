// Puts a secret in a given place, where a search of the program's memory must find it.
// usage: residue-plant PLACE [anything]   the secret is standard input, 16 to 256 bytes
// It prints "planted" while the secret is in its place, removes it unless the place is `kept`, and
// ends.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST = 256, PAGE = 4096 };

static uint8_t data[MOST] = {1};
/// The secret is read to this buffer, a guarded allocation as in eosvault.
static uint8_t *guarded;
static size_t count;

static void report(void) {
    if (write(STDOUT_FILENO, "planted\n", 8) != 8) _exit(3);
}

static void copy(void *to, const void *from) {
    // Copied byte by byte, because memcpy would leave data in vector registers, and the search
    // would find it.
    volatile uint8_t *target = to;
    const volatile uint8_t *source = from;
    for (size_t index = 0; index < count; index++) target[index] = source[index];
}

static void wipe(void *bytes) {
    volatile uint8_t *target = bytes;
    for (size_t index = 0; index < MOST; index++) target[index] = 0;
}

static const char message[] = "planted\n";

// The first bytes of the secret are in registers during write(2). A function call might spill them,
// so this is inline assembly.
#if defined(__x86_64__)
static void report_with_general_registers(void) {
    long result = SYS_write;
    __asm__ volatile(
        "mov (%[secret]), %%r14\n\tmov 8(%[secret]), %%r15\n\t"
        "syscall\n\txor %%r14, %%r14\n\txor %%r15, %%r15\n\t"
        : "+a"(result)
        : [secret] "r"(guarded), "D"((long)STDOUT_FILENO), "S"(message), "d"(8L)
        : "rcx", "r11", "r14", "r15", "memory");
    if (result != 8) _exit(3);
}

static void report_with_vector_registers(void) {
    long result = SYS_write;
    __asm__ volatile(
        "movdqu (%[secret]), %%xmm15\n\tsyscall\n\tpxor %%xmm15, %%xmm15\n\t"
        : "+a"(result)
        : [secret] "r"(guarded), "D"((long)STDOUT_FILENO), "S"(message), "d"(8L)
        : "rcx", "r11", "xmm15", "memory");
    if (result != 8) _exit(3);
}
#elif defined(__aarch64__)
static void report_with_general_registers(void) {
    register long result __asm__("x0") = STDOUT_FILENO;
    register const char *text __asm__("x1") = message;
    register long length __asm__("x2") = 8;
    register long call __asm__("x8") = SYS_write;
    __asm__ volatile(
        "ldp x20, x21, [%[secret]]\n\tsvc #0\n\tmov x20, #0\n\tmov x21, #0\n\t"
        : "+r"(result)
        : [secret] "r"(guarded), "r"(text), "r"(length), "r"(call)
        : "x20", "x21", "memory");
    if (result != 8) _exit(3);
}

static void report_with_vector_registers(void) {
    register long result __asm__("x0") = STDOUT_FILENO;
    register const char *text __asm__("x1") = message;
    register long length __asm__("x2") = 8;
    register long call __asm__("x8") = SYS_write;
    __asm__ volatile(
        "ldr q15, [%[secret]]\n\tsvc #0\n\tmovi v15.16b, #0\n\t"
        : "+r"(result)
        : [secret] "r"(guarded), "r"(text), "r"(length), "r"(call)
        : "v15", "memory");
    if (result != 8) _exit(3);
}
#else
#error "planting in registers is not implemented for this processor"
#endif

static void *plant_on_stack(void *unused) {
    uint8_t here[MOST];
    copy(here, guarded);
    report();
    wipe(here);
    return unused;
}

/// Maps private memory, on pages of a file if `file` is not negative.
static void *map(int file) {
    void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | (file < 0 ? MAP_ANONYMOUS : 0), file, 0);
    if (page == MAP_FAILED) _exit(2);
    return page;
}

static void plant(const char *place) {
    if (strcmp(place, "nowhere") == 0 || strcmp(place, "guarded") == 0 || strcmp(place, "kept") == 0) {
        report();
    } else if (strcmp(place, "heap") == 0) {
        void *bytes = malloc(MOST);
        copy(bytes, guarded);
        report();
        wipe(bytes);
        free(bytes);
    } else if (strcmp(place, "stack") == 0) {
        plant_on_stack(NULL);
    } else if (strcmp(place, "thread-stack") == 0) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, plant_on_stack, NULL) != 0 || pthread_join(thread, NULL) != 0) _exit(2);
    } else if (strcmp(place, "data") == 0) {
        copy(data, guarded);
        report();
        wipe(data);
    } else if (strcmp(place, "no-access") == 0) {
        void *page = map(-1);
        copy(page, guarded);
        mprotect(page, PAGE, PROT_NONE);
        report();
        munmap(page, PAGE);
    } else if (strcmp(place, "locked") == 0) {
        // Memory that is only locked is not guarded.
        void *page = map(-1);
        if (mlock(page, PAGE) != 0) _exit(2);
        copy(page, guarded);
        report();
        munmap(page, PAGE);
    } else if (strcmp(place, "file-mapping") == 0) {
        int file = open("/proc/self/exe", O_RDONLY);
        void *page = map(file);
        copy(page, guarded);
        mprotect(page, PAGE, PROT_READ);
        report();
        munmap(page, PAGE);
    } else if (strcmp(place, "shared-file") == 0) {
        int file = open("mapped", O_RDWR | O_CREAT | O_TRUNC, 0600);
        if (ftruncate(file, PAGE) != 0) _exit(2);
        void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (page == MAP_FAILED) _exit(2);
        copy(page, guarded);
        report();
        wipe(page);
        munmap(page, PAGE);
    } else if (strcmp(place, "general-register") == 0) {
        report_with_general_registers();
    } else if (strcmp(place, "vector-register") == 0) {
        report_with_vector_registers();
    } else if (strcmp(place, "stdout") == 0) {
        if (write(STDOUT_FILENO, guarded, count) != (ssize_t)count) _exit(3);
    } else if (strcmp(place, "stderr") == 0) {
        if (write(STDERR_FILENO, guarded, count) != (ssize_t)count) _exit(3);
    } else if (strcmp(place, "terminal") == 0) {
        int terminal = open("/dev/tty", O_WRONLY);
        if (write(terminal, guarded, count) != (ssize_t)count) _exit(3);
    } else if (strcmp(place, "file") == 0) {
        int file = open("written", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (write(file, guarded, count) != (ssize_t)count) _exit(3);
    } else {
        _exit(64);
    }
}

int main(int argument_count, char **arguments) {
    if (argument_count < 2) return 64;
    guarded = map(-1);
    if (mlock(guarded, PAGE) != 0 || madvise(guarded, PAGE, MADV_DONTDUMP) != 0) return 2;
    if (madvise(guarded, PAGE, MADV_WIPEONFORK) != 0) return 2;
    ssize_t read_count = read(STDIN_FILENO, guarded, MOST);
    if (read_count < 16) return 2;
    count = (size_t)read_count;
    plant(arguments[1]);
    if (strcmp(arguments[1], "kept") != 0) wipe(guarded);
    return 0;
}
