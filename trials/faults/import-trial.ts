import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { startUpload, type Upload } from '../../test/setup/upload.ts'
import { importFile, type SellerMarket, startSellers } from './sellers.ts'
import type { Finding, Trial } from './trial.ts'

const TRICKLING = 8
const OTHERS = 16
const PIECE = 'B,1,1\n'.repeat(400)
const FILE = 'brand,partNumber,inStock\nB,1,1\n'
/** What a trickling upload is given at most, and a dead import at most. */
const PATIENCE_SECONDS = 90

export const trial: Trial = {
  title: 'Imports that trickle, and that die',
  async run() {
    const market = await startSellers(TRICKLING + 1)
    try {
      return [...(await trickle(market)), await die(market)]
    } finally {
      await market.close()
    }
  },
}

/** Uploads of 2.4 kB a second each, one for each Seller; beside them another Seller imports. */
async function trickle({ server, tokens, query }: SellerMarket): Promise<Finding[]> {
  const [other, ...slow] = tokens
  const beganAtMs = performance.now()
  const uploads = slow.map((token) => startUpload(server, { token }, randomUUID()))
  for (const upload of uploads) upload.write('brand,partNumber,inStock\n')
  const timer = setInterval(() => {
    for (const upload of uploads) upload.write(PIECE)
  }, 1_000)
  try {
    await sleep(2_000)
    const second = await importFile(server, slow[0], FILE)
    const statuses: number[] = []
    let transactions = 0
    for (let n = 0; n < OTHERS; n++) {
      statuses.push((await importFile(server, other, FILE)).status)
      const [row] = await query(
        "SELECT count(*)::int AS count FROM pg_stat_activity WHERE state = 'idle in transaction'",
      )
      transactions = Math.max(transactions, Number(row?.count))
      await sleep(1_000)
    }
    const good = statuses.filter((status) => status === 200).length
    const ends = await Promise.all(uploads.map((upload) => endOf(upload, beganAtMs)))
    const lastSeconds = Math.max(...ends.map(({ seconds }) => seconds))
    return [
      {
        what: `${TRICKLING} Sellers upload 2.4 kB a second; another one imports ${OTHERS} times`,
        seen: `${good} of ${OTHERS} answered 200; ${transactions} transactions idle`,
        target: 'all; none',
        held: good === OTHERS && transactions === 0,
      },
      {
        what: 'a second import of a Seller meanwhile',
        seen: `${second.status}`,
        target: '409',
        held: second.status === 409,
      },
      {
        what: 'the end of the trickling uploads',
        seen: `${ends.map(({ status }) => status).join(' ')}, the last after ${lastSeconds.toFixed(0)} s`,
        target: '408 within 90 s',
        held: ends.every(({ status }) => status === 408),
      },
    ]
  } finally {
    clearInterval(timer)
    for (const upload of uploads) upload.destroy()
  }
}

async function endOf(upload: Upload, beganAtMs: number) {
  const deadlineMs = beganAtMs + PATIENCE_SECONDS * 1000 - performance.now()
  const status = await Promise.race([upload.status, sleep(deadlineMs, 0, { ref: false })])
  return { status, seconds: (performance.now() - beganAtMs) / 1000 }
}

/** kill -9 in the middle of an import; the Seller sends the file again until it is taken. */
async function die(market: SellerMarket): Promise<Finding> {
  const [token] = market.tokens
  const upload = startUpload(market.server, { token: String(token) }, randomUUID())
  upload.write(FILE)
  await sleep(2_000)
  const server = await market.killAndRestart()
  const beganAtMs = performance.now()
  const statuses: number[] = []
  while (statuses.at(-1) !== 200 && performance.now() - beganAtMs < PATIENCE_SECONDS * 1000) {
    statuses.push((await importFile(server, token, FILE)).status)
    await sleep(2_000)
  }
  const seconds = (performance.now() - beganAtMs) / 1000
  return {
    what: 'kill -9 during an import, a new start, the same file again every 2 s',
    seen: `${statuses[0]} at first, ${statuses.at(-1)} after ${seconds.toFixed(0)} s`,
    target: '200 within 70 s',
    held: statuses.at(-1) === 200 && seconds < 70,
  }
}
