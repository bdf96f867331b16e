#define _GNU_SOURCE
#include "program.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

struct machine_program machine_this_program(void) {
    struct machine_program program = {.no_search_path = true};
    bool code_is_written = false, has_stack_header = false;
    const ElfW(Phdr) *headers = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    for (unsigned long i = 0; headers && i < getauxval(AT_PHNUM); i++) {
        if (headers[i].p_type == PT_GNU_RELRO) program.read_only_relocations = true;
        if (headers[i].p_type == PT_GNU_STACK) has_stack_header = true;
        if (headers[i].p_type == PT_LOAD || headers[i].p_type == PT_GNU_STACK)
            code_is_written |= (headers[i].p_flags & PF_W) && (headers[i].p_flags & PF_X);
    }
    // The program is the first object in the linker's list.
    const ElfW(Dyn) *entry = _r_debug.r_map ? _r_debug.r_map->l_ld : NULL;
    for (; entry && entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_FLAGS:
            program.bound_at_start |= (entry->d_un.d_val & DF_BIND_NOW) != 0;
            code_is_written |= (entry->d_un.d_val & DF_TEXTREL) != 0;
            break;
        case DT_FLAGS_1:
            program.bound_at_start |= (entry->d_un.d_val & DF_1_NOW) != 0;
            program.position_independent |= (entry->d_un.d_val & DF_1_PIE) != 0;
            break;
        case DT_BIND_NOW:
            program.bound_at_start = true;
            break;
        case DT_TEXTREL:
            code_is_written = true;
            break;
        case DT_RPATH:
        case DT_RUNPATH:
            program.no_search_path = false;
        }
    }
    program.writes_no_code = headers && has_stack_header && !code_is_written;
    return program;
}

void machine_drop_read_only_pages(void) {
    const ElfW(Phdr) *headers = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    unsigned long count = headers ? getauxval(AT_PHNUM) : 0;
    uintptr_t base = 0, page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (unsigned long i = 0; i < count; i++)
        if (headers[i].p_type == PT_PHDR) base = (uintptr_t)headers - headers[i].p_vaddr;
    for (unsigned long i = 0; base && i < count; i++) {
        if (headers[i].p_type != PT_LOAD || (headers[i].p_flags & PF_W)) continue;
        uintptr_t start = base + headers[i].p_vaddr, end = (start + headers[i].p_filesz) & ~(page - 1);
        start &= ~(page - 1);
        if (end > start) madvise((void *)start, end - start, MADV_DONTNEED);
    }
}
