import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** Asks `/livez` again and again; at a message, posts the milliseconds of each answer since the last one. */
const { url, everyMs } = workerData as { url: string; everyMs: number }

function ask(): Promise<number> {
  const askedAt = performance.now()
  return new Promise((resolve, reject) => {
    get(`${url}/livez`, (answer) => {
      answer.resume().on('end', () => resolve(performance.now() - askedAt))
    }).on('error', reject)
  })
}

let times: number[] = []
let isAsked = false
parentPort?.on('message', () => {
  isAsked = true
})
for (;;) {
  times.push(await ask())
  // Not before the answer to what was under way: a stall may end together with it.
  if (isAsked) {
    parentPort?.postMessage(times)
    times = []
    isAsked = false
  }
  await sleep(everyMs)
}
