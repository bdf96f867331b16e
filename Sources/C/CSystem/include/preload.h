// Reports which shared objects the dynamic linker has loaded into this process in addition to those
// that the program needs.
#ifndef EOSVAULT_PRELOAD_H
#define EOSVAULT_PRELOAD_H

/// Calls `found` with the path of each loaded object that neither the program nor its dependencies
/// need (LD_PRELOAD, /etc/ld.so.preload). It also reports each needed object that was loaded from
/// an unexpected folder (LD_LIBRARY_PATH). The folder of the dynamic linker and the library folders
/// of the system, such as /lib and /usr/lib64, are expected.
/// Returns the number of further namespaces, which an auditing object (LD_AUDIT) is loaded into; 0
/// where glibc does not report them (before 2.35).
///
/// Reads the linker's own list, because a preloaded object can replace dl_iterate_phdr. An object
/// can also remove itself from the list. Code in the same process can't find an object that hides.
int machine_foreign_objects(void (*found)(const char *path, void *context), void *context);

#endif
