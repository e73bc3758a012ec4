import { expect, test } from 'vitest'
import { author } from '../../../setup/apps.ts'
import { newCustomer } from '../../../setup/customer.ts'
import { deliveriesOf, eventually } from '../../../setup/deliveries.ts'
import { receivingMarket } from '../../../setup/receiving-market.ts'
import { appWithWebhooks } from '../../../setup/webhooks.ts'

const at = receivingMarket()

test.each([
  { answer: 204, outcome: 'succeeded', status: 'succeeded', health: 'healthy' },
  { answer: 500, outcome: 'failed', status: 'cancelled', health: 'failing' },
])(
  'a request that is answered $answer after the end of its installation was taken is in the log',
  async ({ answer, outcome, status, health }) => {
    const app = await appWithWebhooks(await author(at.market))
    const customer = await newCustomer(at.market)
    const { id } = (await app.create({ url: at.receiver.url })).body
    // More than one request is in flight at an endpoint that has answered one.
    await app.send('POST', `/${id}/Test`)
    await at.attemptsDone(id, 1)
    let respond = () => {}
    at.receiver.answerWith((response, { body }) => {
      const isHeld = JSON.parse(body).type === 'installation.created'
      if (isHeld) respond = () => response.writeHead(answer).end()
      else response.writeHead(204).end()
    })
    const installed = await customer.install({ appId: app.appId, purchaseOptionId: 'free' })
    await at.receiver.until(2)
    await customer.uninstall(installed.body.id)
    const ofInstallation = async () =>
      (await deliveriesOf(at.market, id)).filter(({ installationId }) => installationId !== null)
    await eventually(ofInstallation, (all) => all.at(-1)?.status === 'succeeded')
    expect(await ofInstallation()).toMatchObject([
      { type: 'installation.created', status: 'cancelled', attempts: 0 },
      { type: 'installation.deleted', status: 'succeeded' },
    ])
    respond()
    const [created] = await eventually(ofInstallation, ([first]) => first?.log.length === 1)
    expect(created).toMatchObject({
      ...{ status, attempts: 1, dueAt: null, finishedAt: expect.any(Date), lease: null },
      log: [{ number: 1, outcome, status: answer }],
    })
    expect((await app.read(id)).body.health).toBe(health)
  },
)

test('what is due after the end of its installation is not sent when the end was taken', async () => {
  const app = await appWithWebhooks(await author(at.market))
  const customer = await newCustomer(at.market)
  const events = ['installation.created', 'installation.deleted']
  const { id } = (await app.create({ url: at.receiver.url, events })).body
  const { db, now } = at.market.deps
  const restUntil = (restingUntil: Date | null) =>
    db.webhookEndpoint.update({ where: { id }, data: { restingUntil } })
  await restUntil(new Date(now().getTime() + 3_600_000))
  const installed = await customer.install({ appId: app.appId, purchaseOptionId: 'free' })
  await customer.uninstall(installed.body.id)
  const [created] = await eventually(
    () => deliveriesOf(at.market, id),
    (all) => all.at(-1)?.type === 'installation.deleted',
  )
  // As after a failure: its retry became due after the end.
  const dueAt = new Date(now().getTime() + 5_000)
  await db.webhookDelivery.update({ where: { id: created?.id ?? '' }, data: { dueAt } })
  at.market.advance(10)
  await restUntil(null)
  const deliveries = await eventually(
    () => deliveriesOf(at.market, id),
    (all) => all.every(({ status }) => status !== 'pending'),
  )
  expect(deliveries.map(({ type, status }) => [type, status])).toEqual([
    ['installation.created', 'cancelled'],
    ['installation.deleted', 'succeeded'],
  ])
  expect(at.receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual([
    'installation.deleted',
  ])
})

test('the end that one endpoint was told keeps no other from a replay', async () => {
  const app = await appWithWebhooks(await author(at.market))
  const customer = await newCustomer(at.market)
  const told = (await app.create({ url: at.receiver.url })).body.id
  const rests = (await app.create({ url: at.receiver.url })).body.id
  const restingUntil = new Date(at.market.deps.now().getTime() + 3_600_000)
  await at.market.deps.db.webhookEndpoint.update({ where: { id: rests }, data: { restingUntil } })
  const installed = await customer.install({ appId: app.appId, purchaseOptionId: 'free' })
  await customer.uninstall(installed.body.id)
  const isLast = ({ type, status }: { type: string; status: string } = { type: '', status: '' }) =>
    type === 'installation.deleted' && status === 'succeeded'
  await eventually(
    () => deliveriesOf(at.market, told),
    (all) => isLast(all.at(-1)),
  )
  const created = (await deliveriesOf(at.market, rests)).find(
    ({ type }) => type === 'installation.created',
  )
  const replay = await app.send('POST', `/${rests}/Deliveries/${created?.id}/Replay`)
  expect(replay.status, replay.text).toBe(202)
})

test('while a receiver thinks about the end of an installation, nothing else of it is sent', async () => {
  const app = await appWithWebhooks(await author(at.market))
  const customer = await newCustomer(at.market)
  const events = ['installation.created', 'installation.deleted']
  const { id } = (await app.create({ url: at.receiver.url, events })).body
  // More than one request is in flight at an endpoint that has answered one.
  await app.send('POST', `/${id}/Test`)
  await at.attemptsDone(id, 1)
  let respond = () => {}
  at.receiver.answerWith((response, { body }) => {
    const { type } = JSON.parse(body)
    if (type === 'installation.deleted') respond = () => response.writeHead(204).end()
    else response.writeHead(204).end()
  })
  const { db, now } = at.market.deps
  const restUntil = (restingUntil: Date | null) =>
    db.webhookEndpoint.update({ where: { id }, data: { restingUntil } })
  await restUntil(new Date(now().getTime() + 3_600_000))
  const installed = await customer.install({ appId: app.appId, purchaseOptionId: 'free' })
  await customer.uninstall(installed.body.id)
  const ofInstallation = async () =>
    (await deliveriesOf(at.market, id)).filter(({ installationId }) => installationId !== null)
  const [created] = await eventually(
    ofInstallation,
    (all) => all.at(-1)?.type === 'installation.deleted',
  )
  // As after a failure: its retry becomes due while the receiver thinks.
  const dueAt = new Date(now().getTime() + 5_000)
  await db.webhookDelivery.update({ where: { id: created?.id ?? '' }, data: { dueAt } })
  await restUntil(null)
  await eventually(ofInstallation, (all) => all.at(-1)?.lease !== null)
  at.market.advance(6)
  // Due later than the retry, and sent: the endpoint has its turns.
  await app.send('POST', `/${id}/Test`)
  await at.receiver.until(3)
  respond()
  const deliveries = await eventually(ofInstallation, (all) =>
    all.every(({ status }) => status !== 'pending'),
  )
  expect(deliveries.map(({ type, status }) => [type, status])).toEqual([
    ['installation.created', 'cancelled'],
    ['installation.deleted', 'succeeded'],
  ])
})
