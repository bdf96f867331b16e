// Calls that make new files and that Swift cannot import: variadic functions and Linux's own flags.
#ifndef EOSVAULT_FILES_H
#define EOSVAULT_FILES_H

/// A new file in `folder` that has no name, mode 0600 less the umask, open for writing: a
/// descriptor, or -1 and errno. The kernel removes it when the descriptor is closed, unless it was
/// named.
int files_open_unnamed(const char *folder);

/// Gives the file of `files_open_unnamed` the name `path`. 0, or -1 and errno: EEXIST when there is
/// such a name.
int files_name_unnamed(int descriptor, const char *path);

/// A new file at `path`, mode 0600 less the umask, open for writing: a descriptor, or -1 and errno.
/// EEXIST when there is such a name, also of a symbolic link.
int files_open_new(const char *path);

/// Renames a file unless there is one of the new name. 0, or -1 and errno: EEXIST; EINVAL where the
/// file system can't.
int files_rename_without_replacing(const char *from, const char *to);

#endif
