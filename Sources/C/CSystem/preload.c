#define _GNU_SOURCE
#include "preload.h"

#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

enum { most_objects = 256 };

/// A loaded object, and the fields of its dynamic section that are needed here.
struct object {
    const struct link_map *map;
    const char *strings, *soname;
    bool needed, has_search_path;
};

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void read_dynamic_section(struct object *object) {
    const ElfW(Dyn) *soname = NULL;
    for (const ElfW(Dyn) *entry = object->map->l_ld; entry && entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_STRTAB:
            // In most objects the linker has replaced the offset by an address.
            object->strings = (const char *)(entry->d_un.d_ptr < object->map->l_addr
                                                 ? entry->d_un.d_ptr + object->map->l_addr
                                                 : entry->d_un.d_ptr);
            break;
        case DT_SONAME:
            soname = entry;
            break;
        case DT_RPATH:
        case DT_RUNPATH:
            object->has_search_path = true;
        }
    }
    if (soname && object->strings) object->soname = object->strings + soname->d_un.d_val;
}

static bool is_named(const struct object *object, const char *name) {
    return strcmp(base_name(object->map->l_name), base_name(name)) == 0 ||
           (object->soname && strcmp(object->soname, name) == 0);
}

/// Marks `object` and its dependencies as needed, recursively. An object is marked once, so the
/// recursion ends.
static void mark_needed(struct object *object, struct object objects[], int count) {
    if (object->needed) return;
    object->needed = true;
    for (const ElfW(Dyn) *entry = object->map->l_ld; object->strings && entry && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag != DT_NEEDED) continue;
        for (int i = 0; i < count; i++)
            if (is_named(&objects[i], object->strings + entry->d_un.d_val)) {
                mark_needed(&objects[i], objects, count);
                break;
            }
    }
}

/// The path of the dynamic linker in the program's headers.
static const char *interpreter(const struct link_map *program) {
    const ElfW(Phdr) *headers = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    for (unsigned long i = 0; headers && i < getauxval(AT_PHNUM); i++)
        if (headers[i].p_type == PT_INTERP) return (const char *)(program->l_addr + headers[i].p_vaddr);
    return "";
}

static bool is_of_glibc(const char *path) {
    const char *name = base_name(path);
    return strcmp(name, "libc.so.6") == 0 || strcmp(name, "libm.so.6") == 0 || strncmp(name, "ld-linux", 8) == 0;
}

/// True if the rest of a path, after a library folder, is a file of this folder. Its subfolder
/// glibc-hwcaps has builds for newer processors.
static bool is_file_of_folder(const char *rest) {
    static const char builds[] = "glibc-hwcaps/";
    return !strchr(rest, '/') || strncmp(rest, builds, sizeof builds - 1) == 0;
}

/// True for a file in /lib, /lib64, /usr/lib or /usr/lib64, or in the folder of an architecture
/// there, such as /usr/lib/x86_64-linux-gnu. The dynamic linkers of distributions search these
/// folders without any configuration, and only root can write them.
static bool is_in_system_folder(const char *path) {
    if (strncmp(path, "/usr/", 5) == 0) path += 4;
    if (strncmp(path, "/lib", 4) != 0) return false;
    path += strncmp(path + 4, "64", 2) == 0 ? 6 : 4;
    if (*path++ != '/') return false;
    if (is_file_of_folder(path)) return true;
    const char *end = strchr(path, '/'), *name = strstr(path, "-linux-gnu");
    return name && name < end && is_file_of_folder(end + 1);
}

/// True if an object is in the folder of the dynamic linker, or in a library folder of the system.
/// In a container, the linker may be the only file of its folder.
static bool is_placed(const char *path, const char *linker) {
    char first[PATH_MAX], second[PATH_MAX];
    if (!realpath(path, second)) return false;
    if (is_in_system_folder(second)) return true;
    const char *end = realpath(linker, first) ? strrchr(first, '/') : NULL;
    size_t length = end ? (size_t)(end + 1 - first) : 0;
    return end && strncmp(first, second, length) == 0 && is_file_of_folder(second + length);
}

int machine_foreign_objects(void (*found)(const char *path, void *context), void *context) {
    static struct object objects[most_objects];
    int count = 0;
    for (const struct link_map *map = _r_debug.r_map; map && count < most_objects; map = map->l_next) {
        // The kernel's own object (vDSO) has no file.
        if (map->l_addr && map->l_addr == getauxval(AT_SYSINFO_EHDR)) continue;
        objects[count] = (struct object){.map = map};
        read_dynamic_section(&objects[count++]);
    }
    if (count == 0) return 0;
    // The program is the first object.
    mark_needed(&objects[0], objects, count);
    const char *linker = interpreter(objects[0].map);
    for (int i = 1; i < count; i++) {
        const char *path = objects[i].map->l_name;
        // A program with its own search path, such as a debug build, finds libraries other than
        // glibc's there.
        bool placed = is_placed(path, linker) || (objects[0].has_search_path && !is_of_glibc(path));
        // The linker is always loaded, also when no object names it.
        bool expected = objects[i].needed || strcmp(path, linker) == 0;
        if (!expected || !placed) found(path, context);
    }
    int namespaces = 0;
#if __GLIBC_PREREQ(2, 35)
    if (_r_debug.r_version >= 2) {
        const struct r_debug_extended *next = ((const struct r_debug_extended *)&_r_debug)->r_next;
        while (next && namespaces < most_objects) {
            if (next->base.r_map) namespaces++;
            next = next->r_next;
        }
    }
#endif
    return namespaces;
}
