import { randomUUID } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  currentDeadline,
  NO_DEADLINE,
  withDeadline,
} from '../../../../src/base/fair-share/deadline.ts'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { importProducts } from '../../../../src/marketplace/products/import/import-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { newProductParty, type ProductParty } from '../../../setup/product-client.ts'
import { waitUntil } from '../../../setup/server-process.ts'
import { startUpload, type Upload } from '../../../setup/upload.ts'

const HEADER = 'brand,partNumber,inStock\n'
const FILE = `${HEADER}B,1,1\n`
const ROWS = 30_000
/** More rows than an import keeps in memory. */
const LARGE = Array.from({ length: ROWS }, (_, row) => `Brand,P-${row},${row}\n`).join('')

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

/** An upload of a party that has begun and sends no more. */
async function trickle(party: ProductParty, text = HEADER): Promise<Upload & { id: string }> {
  const id = randomUUID()
  const upload = startUpload(market, party, id)
  upload.write(text)
  await waitUntil(async () => (await party.imports(`/${id}`)).body?.status === 'running')
  return Object.assign(upload, { id })
}

async function hangUp(party: ProductParty, upload: Upload & { id: string }): Promise<void> {
  upload.destroy()
  await waitUntil(async () => (await party.imports(`/${upload.id}`)).body.status === 'failed')
}

const partyOfOtherDeveloper = () =>
  newProductParty(market, 'Seller', ['products:read', 'products:write'], 'catalog-sync')

const chunksOf = (importId: string) => market.deps.db.importChunk.count({ where: { importId } })
const productsOf = ({ partyId }: ProductParty) =>
  market.deps.db.product.count({ where: { partyId } })

describe('a party has one import at a time', () => {
  test('through the API and through the command line', async () => {
    const seller = await newProductParty(market)
    const first = await trickle(seller)
    const second = await seller.import(FILE)
    expectProblem(second, 'import_running')
    expect(second.body.importId).toBe(first.id)
    expect(second.headers.get('retry-after')).toBe('15')
    expect(second.headers.get('location')).toBeNull()
    const byCommand = importProducts(market.deps, {
      importId: randomUUID(),
      partyId: seller.partyId,
      installationId: null,
      format: 'text/csv',
      onError: 'refuse',
      source: Readable.from([Buffer.from(FILE)]),
      actor: SYSTEM,
    })
    await expect(byCommand).rejects.toMatchObject({ code: 'import_running' })
    first.end('B,2,2\n')
    expect(await first.status).toBe(200)
    expect((await seller.import(FILE)).body).toMatchObject({ rowsCreated: 1 })
  })

  test('of many that begin at once one runs, and each that ends makes room', async () => {
    const seller = await newProductParty(market)
    const answers = await Promise.all(Array.from({ length: 8 }, () => seller.import(FILE)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses).toContain(200)
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([])
    for (const file of [FILE, 'colour\n', FILE]) await seller.import(file)
    expect((await seller.import(FILE)).status).toBe(200)
  })

  test('and one whose server died does not block it for ever', async () => {
    const seller = await newProductParty(market)
    const die = async (silentSeconds: number) => {
      const lastSign = new Date(market.deps.now().getTime() - silentSeconds * 1000)
      const times = { startedAt: lastSign, updatedAt: lastSign }
      const { id } = await market.deps.db.productImport.create({
        data: { partyId: seller.partyId, live: true, ...times },
      })
      await market.deps.db.importChunk.create({ data: { importId: id, number: 0, lines: '' } })
      return { id, lastSign }
    }
    const dead = await die(61)
    expect((await seller.import(FILE)).status).toBe(200)
    expect((await seller.imports(`/${dead.id}`)).body).toMatchObject({
      status: 'failed',
      problem: { code: 'unavailable' },
      finishedAt: dead.lastSign.toISOString(),
    })
    expect(await chunksOf(dead.id)).toBe(0)
    const silent = await die(50)
    expectProblem(await seller.import(FILE), 'import_running')
    await (await newProductParty(market)).import(FILE)
    expect(await chunksOf(silent.id)).toBe(1)
  })

  test('one that was taken for dead takes no effect', async () => {
    const seller = await newProductParty(market)
    const slow = await trickle(seller)
    // As another replica does that has heard nothing of it.
    await market.deps.db.productImport.update({
      where: { id: slow.id },
      data: { live: null, status: 'failed' },
    })
    expect((await seller.import(FILE)).status).toBe(200)
    slow.end('B,2,2\n')
    expect(await slow.status).toBe(503)
    expect(await productsOf(seller)).toBe(1)
  })
})

describe('while a body trickles in', () => {
  test('the import holds no connection and no transaction, and all rows come in the end', async () => {
    const seller = await newProductParty(market)
    const slow = await trickle(seller, HEADER + LARGE)
    await waitUntil(async () => (await chunksOf(slow.id)) > 1)
    const { pool } = market.deps
    const transactions = async () => {
      const { rows } = await pool.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
      )
      return rows.length
    }
    await waitUntil(async () => (await transactions()) === 0)
    await waitUntil(() => pool.idleCount === pool.totalCount)
    expect(await productsOf(seller)).toBe(0)
    slow.end('Brand,last,1\n')
    expect(await slow.status).toBe(200)
    expect(await productsOf(seller)).toBe(ROWS + 1)
    expect(await chunksOf(slow.id)).toBe(0)
    expect((await seller.imports(`/${slow.id}`)).body).toMatchObject({ rowsCreated: ROWS + 1 })
  })

  test('each statement has the limit of other statements; what takes effect has its own and a deadline', async () => {
    const { partyId } = await newProductParty(market)
    const deadlines: unknown[] = []
    async function* source() {
      deadlines.push(currentDeadline())
      yield Buffer.from(FILE)
    }
    await withDeadline(NO_DEADLINE, () =>
      importProducts(market.deps, {
        ...{ importId: randomUUID(), partyId, installationId: null, actor: SYSTEM },
        ...{ format: 'text/csv', onError: 'refuse', source: source() },
        checkAgain: async () => deadlines.push(currentDeadline()),
      }),
    )
    const statementMs = 15 * 60_000
    const { atMs } = NO_DEADLINE
    const ofEffect = { atMs: expect.any(Number), statementMs }
    expect(deadlines).toEqual([{ atMs }, ofEffect, ofEffect])
    expect(deadlines[1]).not.toMatchObject({ atMs })
  })

  test('rows that the database forgot in a crash are missed', async () => {
    const seller = await newProductParty(market)
    const slow = await trickle(seller, HEADER + LARGE)
    await waitUntil(async () => (await chunksOf(slow.id)) > 1)
    await market.deps.pool.query('TRUNCATE import_chunks')
    slow.end('Brand,last,1\n')
    expect(await slow.status).toBe(503)
    expect(await productsOf(seller)).toBe(0)
  })

  test('others import as ever; a ninth import of one developer at once is told to wait', async () => {
    const parties = await Promise.all(Array.from({ length: 9 }, () => newProductParty(market)))
    const ninth = parties.pop() as ProductParty
    const other = await partyOfOtherDeveloper()
    const slow: (Upload & { id: string })[] = []
    for (const party of parties) {
      expect((await ninth.import(FILE)).status).toBe(200)
      slow.push(await trickle(party))
    }
    const answer = await ninth.import(FILE)
    expectProblem(answer, 'unavailable')
    expect(answer.body.detail).toMatch(/^At most 8 imports of one developer's apps run at once/)
    expect(answer.headers.get('retry-after')).toBe('15')
    expect((await other.import(FILE)).status).toBe(200)
    for (const [index, upload] of slow.entries()) {
      await hangUp(parties[index] as ProductParty, upload)
    }
    expect((await ninth.import(FILE)).status).toBe(200)
  })

  test('the 33rd import of a process at once is told to wait', async () => {
    const other = await partyOfOtherDeveloper()
    const parties = await Promise.all(Array.from({ length: 32 }, () => newProductParty(market)))
    const files = parties.map(() => new PassThrough())
    const imports = parties.map(({ partyId }, index) =>
      importProducts(market.deps, {
        ...{ importId: randomUUID(), partyId, installationId: null, actor: SYSTEM },
        ...{ format: 'text/csv', onError: 'refuse', source: files[index] as PassThrough },
      }),
    )
    const answer = await other.import(FILE)
    expectProblem(answer, 'unavailable')
    for (const file of files) file.end(FILE)
    await Promise.all(imports)
    expect((await other.import(FILE)).status).toBe(200)
  })
})
