import type { Marketplace } from '../marketplace.ts'

/** Where a command reads and writes. */
export type Streams = {
  stdin: AsyncIterable<string | Uint8Array>
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
  /** Ends a command that would go on for ever. */
  signal?: AbortSignal
}

/** What a command is given. */
export type Given = Streams & {
  options: Readonly<Record<string, string | undefined>>
  words: readonly string[]
  credentialsFile: string
  /** The marketplace that the person has signed in to. */
  open(): Promise<Marketplace>
}

/** A command: how it is called, what it does, and its options, which all have a value. */
export type Command = {
  usage: string
  does: string
  options: readonly string[]
  required?: readonly string[]
  /** The least and the most words that follow. */
  words?: readonly [number, number]
  /** What is printed: a text as it is, anything else as JSON. */
  run(given: Given): Promise<unknown>
}
