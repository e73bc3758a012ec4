/** Ends something that was started; called once. */
type Stop = () => Promise<unknown>

/** What runs, the last one last. */
const stops = new Set<Stop>()
const failure = Promise.withResolvers<never>()

/**
 * Remembers how to stop what is being started. To be called before a start is waited for, because
 * the run may be interrupted meanwhile.
 *
 * @returns a function that forgets it, for what has ended by itself
 */
export function stopAtEnd(stop: Stop): () => void {
  stops.add(stop)
  return () => stops.delete(stop)
}

/** Lets the run fail, whatever it is doing. */
export function failRun(reason: string): void {
  failure.reject(reason)
}

/**
 * Does the work of a run, and then stops all that was started: also when the work fails, something
 * that it needs has ended, or the run is interrupted. Ends the process with code 1 then.
 */
export async function runToEnd(work: () => Promise<void>): Promise<void> {
  // A terminal and npm pass on the same signal both: one is enough.
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => failRun(`The run was interrupted by ${signal}.`))
  }
  // Such as a connection to the database that is lost between two statements.
  process.on('uncaughtException', (error) => failure.reject(error))
  try {
    await Promise.race([work(), failure.promise])
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
    process.exitCode = 1
  }
  for (let stop = [...stops].at(-1); stop !== undefined; stop = [...stops].at(-1)) {
    stops.delete(stop)
    await stop().catch((error: unknown) => process.stderr.write(`Not stopped: ${error}\n`))
  }
  // The work may still be under way.
  if (process.exitCode === 1) process.exit()
}
