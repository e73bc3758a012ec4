/** Options of the command line by their name without the hyphens. */
export type Options = Record<string, string | undefined>

/**
 * A command of the command line: what it takes and does. One with the option `password` also has
 * the flag `--password-stdin`, which reads it from standard input.
 */
export type Command = {
  usage: string
  does: string
  options: readonly string[]
  /** Options without a value. */
  flags?: readonly string[]
  required: readonly string[]
  /** How many words without a name the command takes, such as names of files: all, or from and to. */
  files?: number | readonly [number, number]
  run(given: {
    options: Options
    flags: ReadonlySet<string>
    files: string[]
    /** Writes a line to standard error. */
    warn(text: string): void
  }): Promise<unknown>
}

/** Commands by their name. */
export type CommandTable = Readonly<Record<string, Command>>
