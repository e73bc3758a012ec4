import { describe, expect, test } from 'vitest'
import { createOutageLog } from '../../../../src/base/log/outage-log.ts'

const WORDS = { away: 'the work failed', back: 'the work goes on' }

function startOutageLog() {
  const lines: unknown[] = []
  const note = (fields: object, text: string) => lines.push([text, fields])
  const outage = createOutageLog({ warn: note, info: note } as never, WORDS)
  return { outage, lines }
}
const refused = () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })

describe('an outage', () => {
  test('is logged at its first failure and when it is over, however many failures there are', () => {
    const { outage, lines } = startOutageLog()
    const first = refused()
    outage.failed(first)
    for (let failure = 2; failure <= 500; failure++) outage.failed(refused())
    expect(lines).toEqual([['the work failed', { err: first }]])
    outage.succeeded()
    outage.succeeded()
    expect(lines.slice(1)).toEqual([['the work goes on', { failures: 500 }]])
  })

  test('is logged again when it comes again', () => {
    const { outage, lines } = startOutageLog()
    outage.failed(refused())
    outage.succeeded()
    outage.failed(refused())
    expect(lines).toHaveLength(3)
  })

  test('hides no other reason, and logs ten different ones at most', () => {
    const { outage, lines } = startOutageLog()
    outage.failed(refused())
    outage.failed(new TypeError('x is not a function'))
    expect(lines).toHaveLength(2)
    for (let reason = 0; reason < 50; reason++) outage.failed(new Error(`reason ${reason}`))
    expect(lines).toHaveLength(10)
  })
})

test('work that does not fail logs nothing', () => {
  const { outage, lines } = startOutageLog()
  outage.succeeded()
  expect(lines).toEqual([])
})
