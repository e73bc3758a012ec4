const MINUTE_MS = 60_000

/** What a process counts in memory, and writes now and then. */
export type MinuteWrites<Target> = {
  /** Writes what was counted; while it is being written, waits for that. */
  write(): Promise<void>
  /**
   * Writes what was counted, and stops. A process that is killed loses at most a minute.
   *
   * @param last where it is written, at the end of a process whose pool is interrupted
   */
  close(last?: Target): Promise<void>
}

/**
 * Writes once a minute, never twice at the same time.
 *
 * @param writeAll keeps what it cannot write for the next time, and never fails
 */
export function writeEveryMinute<Target>(
  target: Target,
  writeAll: (to: Target) => Promise<void>,
): MinuteWrites<Target> {
  let writing: Promise<void> | undefined
  const write = (to = target) => {
    writing ??= writeAll(to).finally(() => {
      writing = undefined
    })
    return writing
  }
  const timer = setInterval(() => void write(), MINUTE_MS).unref()
  return {
    write: () => write(),
    async close(last) {
      clearInterval(timer)
      await writing
      await write(last)
    },
  }
}
