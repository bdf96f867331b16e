// Which shared objects the dynamic linker has loaded into this process besides those that the
// program names.
#ifndef EOSVAULT_PRELOAD_H
#define EOSVAULT_PRELOAD_H

/// Tells `found` the path of each loaded object that the program does not need, by itself or
/// through what it needs (LD_PRELOAD, /etc/ld.so.preload), and of each that it needs and got from
/// an odd place (LD_LIBRARY_PATH): glibc's own lie beside the dynamic linker that the program
/// names. Returns the number of further namespaces, which an auditing object (LD_AUDIT) lives in; 0
/// where glibc is too old to tell (before 2.35).
///
/// Reads the linker's own list: dl_iterate_phdr is a function that a preloaded object can be the
/// first to define. An object can take itself off that list as well; one that wants to hide can't
/// be found from within.
int shim_foreign_objects(void (*found)(const char *path, void *context), void *context);

#endif
