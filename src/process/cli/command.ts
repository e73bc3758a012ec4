/** Where a command reads and writes. */
export type Streams = {
  stdin: AsyncIterable<string | Uint8Array>
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
  /** Ends a command that otherwise runs for ever. */
  signal?: AbortSignal
}

/** Options of the command line by their name without the hyphens. */
export type Options = Record<string, string | undefined>

/**
 * A command: what it takes and what it does. A command with the option `password` also has the flag
 * `--password-stdin`, which reads the password from standard input.
 */
export type Command = {
  usage: string
  does: string
  options: readonly string[]
  /** Options without a value. */
  flags?: readonly string[]
  required: readonly string[]
  /** How many positional words the command takes, such as file names: a number, or from and to. */
  files?: number | readonly [number, number]
  run(given: {
    options: Options
    flags: ReadonlySet<string>
    files: string[]
    /** Writes a line to standard error. */
    warn(text: string): void
    /** Writes to standard output, for a command whose result may be too long for one text. */
    write(text: string): void
  }): Promise<unknown>
}

/** Commands by their name. */
export type CommandTable = Readonly<Record<string, Command>>
