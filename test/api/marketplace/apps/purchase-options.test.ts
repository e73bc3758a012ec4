import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, flat, newId } from '../../../setup/apps.ts'
import { call } from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'

let market: SharedMarketplace
let developer: Author
beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await author(market)
})

const sell = (...purchaseOptions: unknown[]) =>
  developer.create(draft(newId(), { purchaseOptions }))

const annual = (id: string, monthlyRate: number, more: object = {}) =>
  flat(id, monthlyRate, { pricingModel: 'FlatAnnual', ...more })

const tiered = (id: string, bucketSize: number, ratePerBucket: number, more: object = {}) => {
  const { monthlyRate: _monthlyRate, ...common } = flat(id, 0)
  return { ...common, pricingModel: 'TieredBuckets', bucketSize, ratePerBucket, ...more }
}

/** A listed app with these options; asks for quotes of it. */
async function shop(...purchaseOptions: Record<string, unknown>[]) {
  const created = await sell(...purchaseOptions)
  expect(created.status).toBe(201)
  const { id } = created.body
  expect((await developer.list(id)).status).toBe(200)
  return (optionId: string, query: string) =>
    call(market, 'GET', `/v1/Apps/${id}/PurchaseOptions/${optionId}/Quote${query}`)
}

async function expectRefused(option: unknown, ...pointers: string[]) {
  const answer = await sell(option)
  expectProblem(answer, answer.status === 400 ? 'invalid_request' : 'unprocessable')
  expect(pointersOf(answer)).toEqual(pointers.map((name) => `/purchaseOptions/0${name}`))
}

describe('Purchase Option, row "Flat Price": fixed recurring fee charged monthly', () => {
  test('is kept and answered as it was given', async () => {
    const option = flat('basic', 19.5, { description: 'All you need.', order: 2 })
    expect((await sell(option)).body.purchaseOptions).toEqual([option])
  })

  test('costs the same however many records there are', async () => {
    const quote = await shop(flat('basic', 19.5))
    for (const records of [0, 1, 12_431, 1_000_000_000]) {
      const { status, body } = await quote('basic', `?records=${records}`)
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          purchaseOptionId: 'basic',
          pricingModel: 'FlatMonthly',
          currency: 'USD',
          records,
          buckets: null,
          monthlyCost: 19.5,
          annualCharge: null,
          explanation: '19.50 a month',
        },
      })
    }
  })

  test.each(['bucketSize', 'ratePerBucket', 'baseFee', 'annualRate', 'price'])(
    'has no attribute %s',
    (name) => expectRefused(flat('o', 1, { [name]: 1 }), `/${name}`),
  )
})

describe('Purchase Option, row "Flat Price (Billed annually)": 12 times the monthly rate at once', () => {
  test('is charged 12 times the monthly rate, exactly', async () => {
    const quote = await shop(annual('a', 19.99), annual('b', 0), annual('c', 1_000_000_000))
    expect((await quote('a', '?records=7')).body).toMatchObject({
      pricingModel: 'FlatAnnual',
      buckets: null,
      monthlyCost: 19.99,
      annualCharge: 239.88,
      explanation: '12 x 19.99 = 239.88 a year, charged at once',
    })
    expect((await quote('b', '?records=7')).body).toMatchObject({ annualCharge: 0 })
    expect((await quote('c', '?records=7')).body).toMatchObject({ annualCharge: 12_000_000_000 })
  })

  test('has no attribute of the tiered model', () =>
    expectRefused(annual('o', 1, { bucketSize: 10, baseFee: 1 }), '/baseFee', '/bucketSize'))
})

describe('Purchase Option, row "Tiered Pricing with Buckets"', () => {
  test('is kept as it was given; the optional base fee is 0 when left out', async () => {
    const option = tiered('premium', 1000, 5)
    expect((await sell(option)).body.purchaseOptions).toEqual([
      { ...option, description: '', baseFee: 0 },
    ])
  })

  test.each([
    [0, 0, 20],
    [1, 1, 25],
    [999, 1, 25],
    [1000, 1, 25],
    [1001, 2, 30],
    [1999, 2, 30],
    [2000, 2, 30],
    [2001, 3, 35],
    [12_431, 13, 85],
    [1_000_000_000, 1_000_000, 5_000_020],
  ])(
    '%i records are ceil(records / 1000) = %i buckets and cost %d',
    async (records, buckets, monthlyCost) => {
      const quote = await shop(tiered('premium', 1000, 5, { baseFee: 20 }))
      expect((await quote('premium', `?records=${records}`)).body).toMatchObject({
        records,
        buckets,
        monthlyCost,
        annualCharge: null,
        explanation: `ceil(${records} / 1000) = ${buckets} bucket${buckets === 1 ? '' : 's'} x 5.00 + 20.00`,
      })
    },
  )

  test('a bucket of one product', async () => {
    const quote = await shop(tiered('one', 1, 0.01))
    expect((await quote('one', '?records=333')).body).toMatchObject({
      buckets: 333,
      monthlyCost: 3.33,
    })
  })

  test('adds exactly where floating point would not', async () => {
    const quote = await shop(tiered('t', 10, 0.1, { baseFee: 0.2 }))
    expect((await quote('t', '?records=10')).body).toMatchObject({ monthlyCost: 0.3 })
  })

  test.each([0, -1, 1.5, 1_000_000_001])('a bucket size of %d is refused', (size) =>
    expectRefused(tiered('t', size, 1), '/bucketSize'),
  )

  test('has no monthly rate, and needs bucket size and rate', async () => {
    await expectRefused({ ...tiered('t', 1, 1), monthlyRate: 1 }, '/monthlyRate')
    const { bucketSize: _size, ratePerBucket: _rate, ...bare } = tiered('t', 1, 1)
    await expectRefused(bare, '/bucketSize', '/ratePerBucket')
  })

  test('a rate whose largest quote could not be exact is refused', async () => {
    await expectRefused(tiered('t', 1, 1_000_000), '/ratePerBucket')
  })
})

describe('Purchase Option, currencies have their own decimals', () => {
  test('JPY 0, USD 2, KWD 3, CLF 4', async () => {
    const quote = await shop(
      flat('jpy', 1950, { currency: 'JPY' }),
      annual('kwd', 1.125, { currency: 'KWD' }),
      tiered('clf', 10, 0.0001, { currency: 'CLF', baseFee: 0.5 }),
      tiered('yen', 10, 3, { currency: 'JPY' }),
    )
    const of = async (id: string) => (await quote(id, '?records=25')).body
    expect(await of('jpy')).toMatchObject({
      currency: 'JPY',
      monthlyCost: 1950,
      explanation: '1950 a month',
    })
    expect(await of('kwd')).toMatchObject({
      annualCharge: 13.5,
      explanation: '12 x 1.125 = 13.500 a year, charged at once',
    })
    expect(await of('clf')).toMatchObject({
      monthlyCost: 0.5003,
      explanation: 'ceil(25 / 10) = 3 buckets x 0.0001 + 0.5000',
    })
    expect(await of('yen')).toMatchObject({
      monthlyCost: 9,
      explanation: 'ceil(25 / 10) = 3 buckets x 3 + 0',
    })
  })

  test.each([
    ['JPY', 0.5],
    ['USD', 19.555],
    ['KWD', 1.1255],
    ['USD', 1e-7],
  ])('%s %d has too many decimals', async (currency, monthlyRate) => {
    await expectRefused(flat('o', monthlyRate, { currency }), '/monthlyRate')
  })

  test.each(['usd', 'XXX', 'US', 'BTC', '', 'DEM', 'toString', 'US$'])(
    '%j is no currency',
    (currency) => expectRefused(flat('o', 1, { currency }), '/currency'),
  )
})

describe('Purchase Option, absurd amounts', () => {
  test.each([-0.01, -1, 1_000_000_000.01, 1e300, '5', null])('a rate of %j is refused', (rate) =>
    expectRefused({ ...flat('o', 0), monthlyRate: rate }, '/monthlyRate'),
  )
  test.each([-1, '1', null])('a base fee of %j is refused', (baseFee) =>
    expectRefused(tiered('t', 1, 1, { baseFee }), '/baseFee'),
  )
  test('0 is a price', async () => {
    expect((await sell(flat('free', 0))).status).toBe(201)
  })
})

describe('Purchase Option, ids and counts', () => {
  test.each(['free', 'Basic-2', 'a.b_c', '9', 'X'.repeat(64)])('%s may be an id', async (id) => {
    const quote = await shop(flat(id, 1))
    expect((await quote(id, '?records=1')).status).toBe(200)
  })
  test.each([
    '',
    '-a',
    '.a',
    'a b',
    'a/b',
    'ä',
    'X'.repeat(65),
    '__proto__',
    'constructor',
    'toString',
    'valueOf',
    5,
    null,
  ])('%j is no id', (id) => expectRefused(flat(id as string, 1, { name: 'x' }), '/id'))
  test('is required, and distinct', async () => {
    await expectRefused({ ...flat('x', 1), id: undefined }, '/id')
    const answer = await sell(flat('a', 1), flat('A', 1), flat('a', 2))
    expect(pointersOf(answer)).toEqual(['/purchaseOptions/2/id'])
  })
  test('1 to 20 options', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => flat(`o${index}`, 1))
    expect((await sell(...many(20))).status).toBe(201)
    for (const count of [0, 21]) {
      const answer = await sell(...many(count))
      expectProblem(answer, 'unprocessable')
      expect(pointersOf(answer)).toEqual(['/purchaseOptions'])
    }
  })
  test.each(['Free', 'flatmonthly', '', null, 5, undefined])(
    '%j is no pricing model',
    (pricingModel) => expectRefused({ ...flat('o', 1), pricingModel }, '/pricingModel'),
  )
  test('are answered by order, those without one last, and else as they are written', async () => {
    const { body } = await sell(
      ...[flat('z', 1), flat('c', 1, { order: 2 }), flat('b', 1, { order: 10 })],
      ...[flat('a', 1, { order: 2 }), flat('y', 1)],
    )
    const ids = body.purchaseOptions.map(({ id }: { id: string }) => id)
    expect(ids).toEqual(['c', 'a', 'b', 'z', 'y'])
  })
})

describe('a quote', () => {
  test.each([
    '?records=',
    '?records=-1',
    '?records=1.5',
    '?records=1e3',
    '?records=0x10',
    '?records=%201',
    '?records=NaN',
    '?records=Infinity',
    '?records=1000000001',
    '?records=9999999999',
    `?records=${'9'.repeat(400)}`,
    '?records=1&records=2',
    '?records=%D9%A1',
  ])('with %.40s is 400 with a pointer to records', async (query) => {
    const quote = await shop(flat('free', 0))
    const answer = await quote('free', query)
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual(['/records'])
  })

  test('with an unknown parameter is 400', async () => {
    const quote = await shop(flat('free', 0))
    expect(pointersOf(await quote('free', '?records=1&Records=2'))).toEqual(['/Records'])
  })

  test('of an option or app that there is not, and of an app not listed, is 404', async () => {
    const quote = await shop(flat('free', 0))
    for (const id of ['FREE', 'nope', 'constructor', '__proto__', 'x'.repeat(65), '%00', '..%2f']) {
      expectProblem(await quote(id, '?records=1'), 'not_found')
    }
    const { body } = await sell(flat('free', 0))
    const path = `/v1/Apps/${body.id}/PurchaseOptions/free/Quote?records=1`
    expectProblem(await call(market, 'GET', path), 'not_found')
  })
})
