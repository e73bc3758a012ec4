import { randomUUID } from 'node:crypto'
import { SYSTEM } from '../../src/base/values/actor.ts'
import { createCredential } from '../../src/identity/accounts/credentials-service.ts'
import { addDeveloperMember } from '../../src/identity/accounts/members/developer-members-service.ts'
import { createUser } from '../../src/identity/accounts/users-service.ts'
import type { TestMarketplace } from '../setup/app.ts'
import { hiddenFields, signedIn, type WebClient, webClient } from '../setup/web-client.ts'
import { assemble, prepare, type Things } from './access-cast.ts'

/** Whose browser opens every page; those with tokens of the API have no cookie. */
export const VISITORS = [
  'nobody',
  'developer token',
  'installation token',
  'member',
  'admin',
  'other admin',
  'owner',
  'developer member',
  'other owner',
  'operator',
  'support',
] as const
export type VisitorRole = (typeof VISITORS)[number]

type Browser = Pick<WebClient, 'get' | 'submit'>

/** What a page answers: it does its work, or refuses it in one of three ways. */
export type Outcome = 'in' | 'sign in' | 'refused' | 'hidden'

/** Signs everybody in: admin and member of account A, people of developer A and of another one. */
export async function assembleVisitors(market: TestMarketplace) {
  const { deps } = market
  const cast = await assemble(market)
  const person = (more: object = {}) =>
    createUser(deps, { email: `${randomUUID()}@example.com`, name: 'Vic Visitor', ...more })
  const [owner, coworker, stranger] = [await person(), await person(), await person()]
  const [ofA, ofB] = await Promise.all(
    [0, 1].map((index) => {
      const clientId = market.demo.developers[index]?.clientId ?? ''
      return deps.db.developerCredential.findUniqueOrThrow({ where: { clientId } })
    }),
  )
  await addDeveloperMember(
    deps,
    ofB?.developerId ?? '',
    { userId: stranger.id, role: 'owner' },
    SYSTEM,
  )
  const member = await person()
  const partyId = cast.userA.party.id
  await deps.db.membership.create({ data: { userId: member.id, partyId, role: 'member' } })
  const otherAdmin = await person({ partyIds: [market.demo.users[0]?.partyId ?? 0] })
  const support = await person({ support: true })

  /** Things of A for one test, and the people of developer A, whom `prepare` replaces. */
  const newThings = async (former?: Things): Promise<Things> => {
    const things = await prepare(market, cast, former)
    const developerId = ofA?.developerId ?? ''
    await addDeveloperMember(deps, developerId, { userId: owner.id, role: 'owner' }, SYSTEM)
    await addDeveloperMember(deps, developerId, { userId: coworker.id, role: 'member' }, SYSTEM)
    // Not the one that things are made with.
    const where = { developerId, removedAt: null, id: { not: ofA?.id ?? '' } }
    const { id: credentialOfA } =
      (await deps.db.developerCredential.findFirst({ where })) ??
      (await createCredential(deps, developerId, {}, SYSTEM))
    return { ...things, credentialOfA }
  }
  const first = await newThings()
  const withToken = (token: string | undefined): Browser => {
    const client = webClient(market)
    const headers = { authorization: `Bearer ${token}` }
    return {
      get: (path) => client.get(path, headers),
      submit: (path, fields) => client.submit(path, fields, headers),
    }
  }
  const browsers: Record<VisitorRole, Browser> = {
    nobody: webClient(market),
    'developer token': withToken(cast.tokenOf('developer A', 'developer')),
    'installation token': withToken(cast.tokenOf('installation A', 'installation')),
    member: await signedIn(market, member),
    admin: await signedIn(market, cast.userA.user),
    'other admin': await signedIn(market, otherAdmin),
    owner: await signedIn(market, owner),
    'developer member': await signedIn(market, coworker),
    'other owner': await signedIn(market, stranger),
    operator: await cast.operator.browser(),
    support: await signedIn(market, support),
  }

  /** What a visitor gets from a page, or from a form with nothing in it but its token. */
  const knock = async (role: VisitorRole, method: string, path: string) => {
    const browser = browsers[role]
    if (method === 'GET') return outcomeOf(await browser.get(path))
    // What says what the form is about, where its address does not.
    const about = new URLSearchParams(path.split('?')[1])
    const fields = { code: '000000', role: 'member', ...Object.fromEntries(about) }
    return outcomeOf(await browser.submit(path, { ...fields, _csrf: await tokenOf(role, path) }))
  }

  const tokens = new Map<string, string>()
  /** The token of a form that the visitor has seen on pages of the same kind. */
  const tokenOf = async (role: VisitorRole, path: string): Promise<string> => {
    const pages = path.startsWith('/Developer')
      ? ['/Developer', '/Account', '/login']
      : ['/Account', '/login']
    const key = `${role} ${pages}`
    for (const page of pages) {
      const known = tokens.get(key)
      if (known !== undefined) return known
      const { _csrf } = hiddenFields((await browsers[role].get(page)).text)
      if (_csrf !== undefined) tokens.set(key, _csrf)
    }
    return tokens.get(key) ?? ''
  }
  const renewCode = async () => {
    if (!(await cast.renewCode())) return
    browsers.operator = await cast.operator.browser()
    for (const key of tokens.keys()) if (key.startsWith('operator ')) tokens.delete(key)
  }
  return { knock, newThings, first, renewCode }
}

function outcomeOf({ status, location }: { status: number; location: string | null }): Outcome {
  if (status === 303 && /^\/login(\?|$)/.test(location ?? '')) return 'sign in'
  if (status === 403) return 'refused'
  if (status === 404) return 'hidden'
  if (status >= 500) throw new Error(`a page answers ${status}`)
  return 'in'
}
