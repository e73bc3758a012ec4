import { expect, onTestFinished, test } from 'vitest'
import { shutdownOnSignals } from '../../../src/start/shutdown.ts'

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

test('the log says that the grace time is over before the process is ended by force', async () => {
  const before = SIGNALS.map((signal) => process.listeners(signal))
  onTestFinished(() => {
    SIGNALS.forEach((signal, index) => {
      const added = process.listeners(signal).filter((one) => !before[index]?.includes(one))
      for (const one of added) process.off(signal, one)
    })
  })
  const happened: string[] = []
  const say = ({ reason }: { reason: string }, text: string) => happened.push(`${text}: ${reason}`)
  await new Promise<void>((resolve) => {
    const force = () => {
      happened.push('ended')
      resolve()
    }
    shutdownOnSignals({ info: say, warn: say } as never, 1, force).request('SIGTERM', 0)
  })
  expect(happened).toEqual([
    'shutting down: SIGTERM',
    'ending at once: SHUTDOWN_GRACE_SECONDS are over',
    'ended',
  ])
})
