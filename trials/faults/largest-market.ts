import { SYSTEM } from '../../src/base/values/actor.ts'
import { createMembership } from '../../src/identity/accounts/members/memberships-service.ts'
import { createParty } from '../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../src/identity/accounts/users-service.ts'
import { createInstallRequest } from '../../src/marketplace/installations/requests/install-requests-service.ts'
import { draft, flat } from '../../test/setup/apps.ts'
import { acceptAll } from '../../test/setup/customer.ts'
import { mintedToken } from '../../test/setup/probes.ts'
import { readDemoFile, waitUntil } from '../../test/setup/server-process.ts'
import { signedIn, signedInDeveloper, type WebClient } from '../../test/setup/web-client.ts'
import { startReceiver } from '../../test/setup/webhook-receiver.ts'
import { startWebhookMarket, type WebhookMarket } from './webhook-market.ts'

/** Every character of it is escaped in HTML. */
const MARKUP = `&<"'`
const BODY_MAX_BYTES = 1_048_576
const TERMS_MAX_BYTES = 5 * 1_048_576
const OPTIONS = 20
const SETTINGS = 100
const CHOICES = 50
/** Settings of 8 KiB of which a body of 1 MiB has room. */
const VALUES = 100
/** A machine with other work on it takes longer than a request may for a document. */
const TRIES = 5

/** A text of so many characters that each cost most. */
const markup = (length: number) => MARKUP.repeat(length / MARKUP.length + 1).slice(0, length)
/** The largest document: text in which every character is escaped. */
export const LARGEST_TERMS = markup(TERMS_MAX_BYTES)

type Definition = ReturnType<typeof draft>

/** The largest definitions that may be published, each large in another way: id -> definition. */
export const LARGEST: Record<string, (version: string) => Definition> = {
  'largest-settings': (version) =>
    filled((length) => definition('largest-settings', version, length)),
  'largest-choices': (version) => filled((length) => choices(version, length)),
  'largest-values': (version) => values(version),
}

/** Two versions have no setting in common. */
function definition(id: string, version: string, length: number): Definition {
  const setting = (name: string) => ({
    ...{ type: 'text', name, description: markup(length), scope: 'user' },
  })
  return draft(id, {
    ...{ version, description: markup(4000), authReturnUrl: 'https://app.example/return' },
    partyTypes: ['Buyer', 'Seller'],
    purchaseOptions: ids(OPTIONS).map((n) => flat(`o${n}`, 0, { description: markup(200) })),
    settings: Object.fromEntries(
      ids(OPTIONS).map((o) => [
        `o${o}`,
        Object.fromEntries(ids(SETTINGS).map((s) => [`v${version}-s${s}`, setting(`Name ${s}`)])),
      ]),
    ),
    acknowledgements: ids(OPTIONS).map((n) => ({
      ...{ id: `a${n}`, title: `Title ${n} ${version}`, text: markup(1000) },
    })),
  })
}

function choices(version: string, length: number): Definition {
  const one = (s: number) => ({
    ...{ type: 'select', name: `Choice ${s}` },
    options: ids(CHOICES).map((n) => ({
      name: `${n} ${version}${markup(length)}`.slice(0, 200),
      value: `${n} ${version}${markup(length)}`.slice(0, 200),
    })),
  })
  return draft('largest-choices', {
    ...{ version, description: markup(4000), authReturnUrl: 'https://app.example/return' },
    partyTypes: ['Buyer', 'Seller'],
    purchaseOptions: [flat('o0', 0)],
    settings: { o0: Object.fromEntries(ids(SETTINGS).map((s) => [`s${s}`, one(s)])) },
  })
}

function values(version: string): Definition {
  const scope = (s: number) => (s < VALUES / 2 ? 'user' : 'admin')
  const profile = (all: boolean) =>
    Object.fromEntries(
      ids(SETTINGS).map((s) => [
        `s${s}`,
        { type: 'text', name: `Name ${s}`, scope: all ? 'user' : scope(s) },
      ]),
    )
  return draft('largest-values', {
    ...{ version, authReturnUrl: 'https://app.example/return', partyTypes: ['Buyer', 'Seller'] },
    permissions: [{ id: 'settings:read', purpose: 'Reads your settings.' }],
    purchaseOptions: [flat('o0', 0), flat('o1', 0)],
    settings: { o0: profile(true), o1: profile(false) },
  })
}

/** The largest of its kind that fits into a body. */
function filled(make: (length: number) => Definition): Definition {
  let low = 1
  let high = 1000
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (Buffer.byteLength(JSON.stringify(make(middle))) < BODY_MAX_BYTES - 1024) low = middle
    else high = middle - 1
  }
  return make(low)
}

const ids = (count: number) => Array.from({ length: count }, (_, n) => n)

/** Settings of 1 MiB of JSON. */
const largeValues = (from: number, to: number, bytes: number) =>
  Object.fromEntries(ids(to - from).map((n) => [`s${from + n}`, markup(bytes)]))

/** A marketplace whose apps, settings and documents are as large as they may be. */
export type LargestMarket = {
  market: WebhookMarket
  /** App -> what there is of it. */
  apps: Record<string, { installationId: string; sandboxId: string; requestId?: string }>
  /** The largest record that is no app's: a delivery with the receiver's answer. */
  endpointId: string
  deliveryId: string
  ids: { developerId: string; partyId: number; userId: string; askingId: number }
  tokens: Record<string, string>
  browsers: Record<'operator' | 'user' | 'developer', WebClient>
  close(): Promise<void>
}

export async function startLargestMarket(
  startServer: (market: WebhookMarket) => Promise<{ url: string }>,
): Promise<LargestMarket & { url: string }> {
  const receiver = await startReceiver()
  receiver.answerWith((response) => response.writeHead(500).end(markup(1_000_000)))
  const market = await startWebhookMarket([receiver.host])
  const close = async () => {
    await market.close()
    await receiver.close()
  }
  try {
    return { ...(await filledMarket(market, receiver, startServer)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function filledMarket(
  market: WebhookMarket,
  receiver: Awaited<ReturnType<typeof startReceiver>>,
  startServer: (market: WebhookMarket) => Promise<{ url: string }>,
): Promise<Omit<LargestMarket, 'close'> & { url: string }> {
  const demo = readDemoFile(market.server.dataDir)
  const server = await startServer(market)
  const user = demo.users.find(({ partyType }) => partyType === 'Seller')
  if (user === undefined) throw new Error('the demo is not whole')
  const { id: userId } = await market.deps.db.user.findUniqueOrThrow({
    where: { email: user.email },
  })
  const signIn = ({ email, password }: typeof demo.operator) => ({ email, password })
  const tokens: Record<string, string> = {
    developer: await mintedToken(
      server,
      '/v1/Auth',
      demo.developers.find(({ apps }) => apps.includes('price-sync')),
    ),
    account: await mintedToken(server, '/v1/Account/Auth', signIn(user)),
    operator: await mintedToken(server, '/v1/Account/Auth', signIn(demo.operator)),
  }
  const as = async (
    who: string,
    method: string,
    path: string,
    body?: unknown,
    tries = TRIES,
    // biome-ignore lint/suspicious/noExplicitAny: trials read what they need of it
  ): Promise<any> => {
    const isText = typeof body === 'string'
    const answer = await fetch(server.url + path, {
      method,
      headers: {
        authorization: `Bearer ${tokens[who]}`,
        ...(body !== undefined && {
          'content-type': isText ? 'text/markdown' : 'application/json',
        }),
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (answer.status === 503 && tries > 1) return as(who, method, path, body, tries - 1)
    if (!answer.ok)
      throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 500)}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  const apps: LargestMarket['apps'] = {}
  for (const [id, of] of Object.entries(LARGEST)) {
    await as('developer', 'POST', '/v1/Developer/Apps', of('1'))
    await as('developer', 'PUT', `/v1/Developer/Apps/${id}/TermsDocument`, LARGEST_TERMS)
    await as('developer', 'POST', `/v1/Developer/Apps/${id}/List`)
    const shown = await as('account', 'GET', `/v1/Apps/${id}`)
    const asked = {
      appId: id,
      purchaseOptionId: 'o0',
      userSettings: id === 'largest-values' ? largeValues(0, VALUES, 7500) : {},
      acknowledgements: shown.acknowledgements.map(({ id, sha256 }: Record<string, string>) => ({
        id,
        sha256,
      })),
      termsDocument: { sha256: shown.termsDocument.sha256 },
    }
    const installed = await as('account', 'POST', '/v1/Account/Installations', asked)
    const sandbox = await as('developer', 'POST', `/v1/Developer/Apps/${id}/Sandbox`, {
      purchaseOptionId: id === 'largest-values' ? 'o1' : 'o0',
    })
    apps[id] = { installationId: installed.id, sandboxId: sandbox.id }
    await as('developer', 'PUT', `/v1/Developer/Apps/${id}`, of('2'))
    await as(
      'developer',
      'PUT',
      `/v1/Developer/Apps/${id}/TermsDocument?version=3`,
      `${LARGEST_TERMS.slice(1)}x`,
    )
  }
  const { sandboxId } = apps['largest-values'] ?? {}
  await as(
    'developer',
    'PATCH',
    `/v1/Developer/Installations/${sandboxId}/AdminSettings`,
    largeValues(VALUES / 2, VALUES, 8000),
  )
  const endpointId = await as('developer', 'POST', '/v1/Developer/Apps/largest-values/Webhooks', {
    url: receiver.url,
  }).then(({ id }) => id)
  const { installationId } = apps['largest-values'] ?? {}
  await as(
    'account',
    'PATCH',
    `/v1/Account/Installations/${installationId}/UserSettings`,
    largeValues(0, VALUES, 7400),
  )
  await receiver.until(1)
  const path = `/v1/Developer/Apps/largest-values/Webhooks/${endpointId}/Deliveries`
  let deliveries: { id: string }[] = []
  await waitUntil(async () => {
    deliveries = await as('developer', 'GET', path)
    return deliveries.length > 0
  })
  tokens.installation = await mintedToken(
    server,
    '/v1/Developer/Token',
    { installationId },
    tokens.developer,
  )
  const { deps, developerId } = market
  const asking = await createParty(deps, { name: 'Asking', type: 'Seller' })
  const member = await createUser(deps, { email: 'member@asking.example', name: 'Asking Member' })
  await createMembership(deps, { userId, partyId: asking.id, role: 'admin' }, SYSTEM)
  await createMembership(deps, { userId: member.id, partyId: asking.id, role: 'member' }, SYSTEM)
  const actor = { kind: 'user', id: member.id, address: null } as const
  for (const [id, app] of Object.entries(apps)) {
    const request = await createInstallRequest(deps, { userId: member.id, actor }, asking.id, {
      ...{ appId: id, purchaseOptionId: 'o0', note: 'Please.' },
      userSettings: id === 'largest-values' ? largeValues(0, VALUES, 7500) : {},
      ...(await acceptAll(server, id)),
    })
    app.requestId = request.id
  }
  const partyId = user.partyId
  const site = { url: server.url, deps, demo }
  return {
    url: server.url,
    market,
    apps,
    endpointId,
    deliveryId: String(deliveries[0]?.id),
    ids: { developerId, partyId, userId, askingId: asking.id },
    tokens,
    browsers: {
      operator: await signedIn(site, demo.operator),
      user: await signedIn(site, user),
      developer: await signedInDeveloper(
        site,
        demo.developers.findIndex(({ apps }) => apps.includes('price-sync')),
      ),
    },
  }
}
