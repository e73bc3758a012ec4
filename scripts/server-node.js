// @ts-check
/** What the Node of a server is told. */
export const NODE_FLAGS = [
  '--max-semi-space-size=16',
  '--max-old-space-size=384',
  '--heap-growing-percent=50',
  // The signal SIGUSR1 opens no debugger.
  '--disable-sigusr1',
]

/** What hashing passwords takes is given back at once (glibc). */
export const ALLOCATOR_VARIABLES = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '4194304',
}
