/**
 * Ends the process when its answer cannot be written: quietly when nobody reads on (`| head`),
 * otherwise with a line that says why. A command writes what it changed when that is done.
 */
export function endOnLostOutput(): void {
  const { stdout, stderr } = process
  stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(0)
    stderr.write(
      `The answer could not be written: ${code ?? message}. What the command did, it has done.\n`,
    )
    process.exit(1)
  })
  // There is nowhere left to say it.
  stderr.on('error', () => {})
}
