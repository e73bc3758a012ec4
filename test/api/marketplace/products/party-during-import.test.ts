import { beforeAll, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { uninstall } from '../../../../src/marketplace/installations/lifecycle-service.ts'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { call } from '../../../setup/client.ts'
import { newCustomer } from '../../../setup/customer.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { type OperatorCalls, operatorCalls } from '../../../setup/operator.ts'
import { newProductParty, type ProductParty } from '../../../setup/product-client.ts'
import { heldRows } from '../../../setup/turns.ts'

// An import changes the products of a party for minutes. Meanwhile only the party's other writers
// of products wait: each who waits holds a connection that all parties share.

let market: SharedMarketplace
let operator: OperatorCalls
beforeAll(async () => {
  market = await sharedMarketplace()
  operator = await operatorCalls(market)
})

const { hold, waiting, letGo, statuses } = heldRows(() => market)

/** A Seller whose import has begun to change its products, and stops at one of them. */
async function importing() {
  const seller = await newProductParty(market)
  const row = { brand: 'B', partNumber: '1', inStock: 1 }
  const { body: product } = await seller.upsert(row)
  await hold('SELECT 1 FROM products WHERE id = $1 FOR UPDATE', product.id)
  const imported = seller.import('brand,partNumber,inStock\nB,1,2\nB,2,2\n')
  await waiting(1)
  return { seller, product, imported }
}

const revisionOf = async ({ partyId }: ProductParty) =>
  (await market.deps.db.party.findUniqueOrThrow({ where: { id: partyId } })).catalogueRevision

test('an operator renames, suspends and resumes a party during its import', async () => {
  const { seller, imported } = await importing()
  const party = `Parties/${seller.partyId}`
  try {
    expect((await operator('PATCH', party, { name: `Renamed ${seller.partyId}` })).status).toBe(200)
    expect((await operator('POST', `${party}/Suspend`, { reason: 'Spam.' })).status).toBe(200)
    expect((await operator('POST', `${party}/Resume`)).status).toBe(200)
  } finally {
    await letGo()
  }
  expect((await imported).status).toBe(200)
})

test('an import takes no effect once its party was suspended, whenever that was', async () => {
  const { seller, product, imported } = await importing()
  const before = await revisionOf(seller)
  const party = `Parties/${seller.partyId}`
  try {
    expect((await operator('POST', `${party}/Suspend`, { reason: 'Spam.' })).status).toBe(200)
  } finally {
    await letGo()
  }
  expectProblem(await imported, 'invalid_token')
  expect(await revisionOf(seller)).toBe(before)
  expect((await operator('POST', `${party}/Resume`)).status).toBe(200)
  expect((await seller.read(product.id)).body).toMatchObject({ inStock: 1 })
})

test('an import takes no effect once its app was uninstalled and its party closed', async () => {
  const { seller, product, imported } = await importing()
  const before = await revisionOf(seller)
  try {
    await uninstall(market.deps, {
      installationId: seller.installationId,
      where: {},
      actor: SYSTEM,
    })
    expect((await operator('POST', `Parties/${seller.partyId}/Close`)).status).toBe(200)
  } finally {
    await letGo()
  }
  expectProblem(await imported, 'invalid_token')
  expect(await revisionOf(seller)).toBe(before)
  const stored = await market.deps.db.product.findMany({ where: { partyId: seller.partyId } })
  expect(stored).toMatchObject([{ id: BigInt(product.id), inStock: 1 }])
})

test('an admin changes the members of a party during its import', async () => {
  const { seller, imported } = await importing()
  const { partyId } = seller
  const [admin, other] = [await newCustomer(market), await newCustomer(market)]
  try {
    for (const { user } of [admin, other]) {
      const member = { userId: user.id, partyId, role: 'admin' }
      expect((await operator('POST', 'Memberships', member)).status).toBe(201)
    }
    const path = `/v1/Account/Parties/${partyId}/Members/${other.user.id}`
    const change = { token: admin.token, body: { role: 'member' } }
    expect((await call(market, 'PATCH', path, change)).status).toBe(200)
    expect((await call(market, 'DELETE', path, { token: admin.token })).status).toBe(204)
  } finally {
    await letGo()
  }
  expect((await imported).status).toBe(200)
})

test('another writer of its products waits for the import, and comes after it in the feed', async () => {
  const { seller, product, imported } = await importing()
  const before = await revisionOf(seller)
  const written = seller.patch(product.id, { inStock: 3 })
  try {
    await waiting(2)
    expect(await revisionOf(seller)).toBe(before)
  } finally {
    await letGo()
  }
  expect(await statuses([imported, written])).toEqual([200, 200])
  expect(await revisionOf(seller)).toBe(before + 2n)
  const rows = await market.deps.db.product.findMany({
    where: { partyId: seller.partyId },
    select: { partNumber: true, inStock: true, revision: true },
    orderBy: { revision: 'asc' },
  })
  expect(rows).toEqual([
    { partNumber: '2', inStock: 2, revision: before + 1n },
    { partNumber: '1', inStock: 3, revision: before + 2n },
  ])
})

test('an import that changes nothing leaves the revision as it is', async () => {
  const seller = await newProductParty(market)
  const file = 'brand,partNumber,inStock\nB,1,1\n'
  expect((await seller.import(file)).body).toMatchObject({ rowsCreated: 1 })
  const revision = await revisionOf(seller)
  expect((await seller.import(file)).body).toMatchObject({ rowsUnchanged: 1 })
  expect(await revisionOf(seller)).toBe(revision)
})
