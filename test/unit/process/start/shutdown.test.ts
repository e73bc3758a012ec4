import { expect, onTestFinished, test, vi } from 'vitest'
import { type Shutdown, shutdownOnSignals } from '../../../../src/process/start/shutdown.ts'

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
type Signal = (typeof SIGNALS)[number]

/** A shutdown, what happened in it, and a way to signal it, and nobody else in this process. */
function shutdownHere(forceAfterMs: number, onForce = () => {}) {
  const before = SIGNALS.map((signal) => process.listeners(signal))
  const added = (signal: Signal) =>
    process.listeners(signal).filter((one) => !before[SIGNALS.indexOf(signal)]?.includes(one))
  onTestFinished(() => {
    for (const signal of SIGNALS) for (const one of added(signal)) process.off(signal, one)
  })
  const happened: string[] = []
  const say = ({ reason }: { reason: string }, text: string) => happened.push(`${text}: ${reason}`)
  const force = () => {
    happened.push('ended')
    onForce()
  }
  const log = { info: say, warn: say } as never
  const shutdown: Shutdown = shutdownOnSignals(log, forceAfterMs, force)
  const signal = (name: Signal) => {
    for (const listener of added(name)) listener(name)
  }
  return { shutdown, happened, signal }
}

test('the log says that the grace time is over before the process is ended by force', async () => {
  const happened = await new Promise<string[]>((resolve) => {
    const here = shutdownHere(1, () => resolve(here.happened))
    here.shutdown.request('SIGTERM', 0)
  })
  expect(happened).toEqual([
    'shutting down: SIGTERM',
    'ending at once: SHUTDOWN_GRACE_SECONDS are over',
    'ended',
  ])
})

test.each(SIGNALS)(
  'a signal that npm and a terminal pass on both counts once: %s again',
  async (again) => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { shutdown, happened, signal } = shutdownHere(60_000)
    signal('SIGTERM')
    expect(await shutdown.requested).toBe(0)
    for (const ms of [0, 100, 149]) {
      vi.advanceTimersByTime(ms)
      signal(again)
    }
    expect(happened).toEqual(['shutting down: SIGTERM'])
    vi.advanceTimersByTime(1)
    signal(again)
    expect(happened.slice(1)).toEqual([`ending at once: ${again}`, 'ended'])
  },
)

test('a signal ends at once what shuts down for another reason', () => {
  const { shutdown, happened, signal } = shutdownHere(60_000)
  shutdown.request('the database is lost', 1)
  signal('SIGINT')
  expect(happened).toEqual([
    'shutting down: the database is lost',
    'ending at once: SIGINT',
    'ended',
  ])
})
