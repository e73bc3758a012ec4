import { expect } from 'vitest'
import { startMarketplace, type TestMarketplace } from './app.ts'
import { call } from './client.ts'

/** A marketplace whose whole log can be read. */
export type LoggedMarketplace = TestMarketplace & {
  /** What is logged while something is done, read as the lines of a file. */
  loggedDuring(work: () => Promise<unknown>): Promise<string[]>
}

/** Starts a server that logs all there is to log, behind a proxy that it trusts. */
export async function startLogged(): Promise<LoggedMarketplace> {
  let written: string[] = []
  const market = await startMarketplace({
    config: { logLevel: 'trace', trustProxy: '127.0.0.1' },
    log: (line) => written.push(line),
  })
  return {
    ...market,
    async loggedDuring(work) {
      written = []
      await work()
      // The line of a request is written after its answer.
      await call(market, 'GET', '/livez')
      await expect.poll(() => written.join('')).toContain('/livez')
      const text = written.join('')
      expect(text.endsWith('\n')).toBe(true)
      return text.trimEnd().split('\n')
    },
  }
}

/** Every line is one event in JSON that says when, how grave and what. */
export function expectEvents(lines: readonly string[]): Record<string, unknown>[] {
  return lines.map((line) => {
    const event = JSON.parse(line)
    expect(event).toMatchObject({ level: expect.any(String), time: expect.any(String) })
    expect(event.msg).toEqual(expect.any(String))
    return event
  })
}
