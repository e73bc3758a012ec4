import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** Asks `/livez` again and again; posts the milliseconds of each answer when the time is over. */
const { url, seconds } = workerData as { url: string; seconds: number }
const PROBE_EVERY_MS = 20

function ask(): Promise<number> {
  const askedAt = performance.now()
  return new Promise((resolve, reject) => {
    get(`${url}/livez`, (answer) => {
      answer.resume().on('end', () => resolve(performance.now() - askedAt))
    }).on('error', reject)
  })
}

const times: number[] = []
const endsAt = performance.now() + seconds * 1000
while (performance.now() < endsAt) {
  times.push(await ask())
  await sleep(PROBE_EVERY_MS)
}
parentPort?.postMessage(times)
