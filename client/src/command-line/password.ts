import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { ReadStream } from 'node:tty'
import type { Streams } from './command.ts'
import { UsageError } from './usage-error.ts'

const MAX_LENGTH = 1024

/**
 * Asks for a password, or for another secret. A terminal does not show what is typed.
 *
 * @throws UsageError when there is none
 */
export async function askSecret(
  { stdin, stderr, signal }: Omit<Streams, 'stdout'>,
  prompt = 'Password: ',
) {
  const what = prompt.replace(': ', '').toLowerCase()
  if (stdin instanceof ReadStream) {
    const typed = await typedLine(stdin, stderr, signal, prompt)
    if (typed === '') throw new UsageError(`No ${what} was typed.`)
    return typed
  }
  const secret = await firstLine(stdin)
  if (secret === '') throw new UsageError(`There is no ${what} on standard input.`)
  return secret
}

/**
 * The echo ends before the prompt invites to type, and is there again however the question ends.
 *
 * @returns '' of an empty line, after Ctrl-C or Ctrl-D, and when the signal comes
 */
async function typedLine(
  terminal: ReadStream,
  stderr: Streams['stderr'],
  signal: AbortSignal | undefined,
  prompt: string,
): Promise<string> {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({
    input: terminal,
    output,
    terminal: true,
    ...(signal !== undefined && { signal }),
  })
  const ask = () => {
    stderr.write(prompt)
    lines.resume()
  }
  // After Ctrl-Z, Node reads on only when told, and ends the echo after this event.
  lines.on('SIGCONT', () => setImmediate(ask))
  ask()
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    stderr.write('\n')
  }
}

async function firstLine(stdin: Streams['stdin']): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const part of stdin) {
    text += typeof part === 'string' ? part : decoder.decode(part, { stream: true })
    if (text.includes('\n') || text.length > MAX_LENGTH) break
  }
  return text.split(/\r?\n/)[0] ?? ''
}
