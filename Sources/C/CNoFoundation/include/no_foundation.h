// Keeps Foundation out of eosvault. ArgumentParser uses it for `--experimental-dump-help`, which
// eosvault refuses (`Program.main`), and for descriptions of Foundation's errors, which eosvault
// does not have. This target defines the symbols of these two uses, so the linker takes nothing
// from Foundation's archives: 4 MB less, and less code in the process that has the keys.
//
// Only a release build has the definitions. With another version of ArgumentParser or Foundation,
// the linker reports missing or duplicate symbols.
