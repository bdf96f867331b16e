// Calls on files that Swift cannot import: variadic functions and Linux-specific flags.
#ifndef EOSVAULT_FILES_H
#define EOSVAULT_FILES_H

/// Creates a file without a name in `folder`, mode 0600 less the umask, open for writing. Returns a
/// descriptor, or -1 and errno. The kernel removes the file when the descriptor is closed, unless
/// it was given a name.
int files_open_unnamed(const char *folder);

/// Gives the file of `files_open_unnamed` the name `path`. Returns 0, or -1 and errno: EEXIST when
/// the name exists.
int files_name_unnamed(int descriptor, const char *path);

/// Creates a file at `path`, mode 0600 less the umask, open for writing. Returns a descriptor, or
/// -1 and errno: EEXIST when the name exists, also as a symbolic link.
int files_open_new(const char *path);

/// open(2) with O_PATH and O_CLOEXEC: the descriptor refers to the file without opening it. Returns
/// -1 and errno on failure.
int files_open_path(const char *path);

/// Renames a file unless the new name exists. Returns 0, or -1 and errno: EEXIST when it exists,
/// EINVAL where the file system does not support the operation.
int files_rename_without_replacing(const char *from, const char *to);

/// The type of the file system that a descriptor is on, as in statfs(2); 0 if it is not known.
long files_system_type(int descriptor);

#endif
