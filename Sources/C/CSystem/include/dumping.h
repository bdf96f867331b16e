// Whether other processes may read the memory of this process.
#ifndef EOSVAULT_DUMPING_H
#define EOSVAULT_DUMPING_H

/// Sets PR_SET_DUMPABLE to 0 and reads it back. Returns 0 when the process is no longer dumpable,
/// else -1.
int process_forbid_dumping(void);

#endif
