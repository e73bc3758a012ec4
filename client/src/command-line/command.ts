import type { Marketplace } from '../marketplace.ts'
import type { Credentials } from './credentials.ts'

/** Where a command reads and writes. */
export type Streams = {
  stdin: AsyncIterable<string | Uint8Array>
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
  /** Ends a command that otherwise runs for ever. */
  signal?: AbortSignal
}

/** The input of a command. */
export type Given = Streams & {
  options: Readonly<Record<string, string | undefined>>
  words: readonly string[]
  credentialsFile: string
  /** Opens a marketplace: the one that the person is signed in to, unless credentials are given. */
  open(credentials?: Credentials): Promise<Marketplace>
}

/** A command: its usage, what it does, and its options, each of which takes a value. */
export type Command = {
  usage: string
  does: string
  options: readonly string[]
  required?: readonly string[]
  /** The least and the most positional words. */
  words?: readonly [number, number]
  /** Returns what is printed: a text unchanged, anything else as JSON. */
  run(given: Given): Promise<unknown>
}
