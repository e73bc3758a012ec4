import { expect, test } from 'vitest'
import { createLineWriter, createLogger } from '../../../../src/base/log/logger.ts'

function loggerAt(logLevel: 'info' | 'warn') {
  const lines: string[] = []
  return { lines, log: createLogger({ logLevel }, { write: (line) => lines.push(line) }) }
}

test('a line that is written past pino is the line that pino writes', () => {
  const { lines, log } = loggerAt('info')
  const fields = { reqId: 'r-1', method: 'GET', status: 200 }
  createLineWriter(log)('"reqId":"r-1","method":"GET","status":200,"msg":"request"')
  log.info(fields, 'request')
  const [own, pinos] = lines.map((line) => ({ ...JSON.parse(line), time: 'some time' }))
  expect(own).toEqual(pinos)
  for (const line of lines) {
    expect(line).toMatch(/^\{"level":"info","time":"\d{4}-[\d-]+T[\d:.]+Z","reqId".*\}\n$/)
  }
})

test('a line that is written past pino keeps to the level of the log', () => {
  const { lines, log } = loggerAt('warn')
  createLineWriter(log)('"msg":"request"')
  expect(lines).toEqual([])
})
