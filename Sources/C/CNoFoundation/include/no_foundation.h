// Keeps Foundation out of eosvault. ArgumentParser uses it for `--experimental-dump-help`, which
// eosvault refuses (`Program.expectNoDump`), and to describe errors of Foundation, which eosvault
// never throws. This target defines the symbols of these two uses, so the linker takes nothing
// from Foundation's archives: 4 MB less, and less code in the process that has the keys.
//
// Only a release build has the definitions. With another version of ArgumentParser or Foundation,
// the linker reports missing or duplicate symbols: then update the list in no_foundation.c.
