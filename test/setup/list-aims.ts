import type { Big } from './big-marketplace.ts'

/** Filter -> what it is tried with. */
export type FilterValues = Record<string, readonly (string | number)[]>

/** Values of every filter that a list may have: what matches nothing, little, and nearly all. */
export const filterValues = (big: Big): FilterValues => ({
  q: ['Needle', 'nothing is called so', 'zq', 'Seeded', 'se'],
  party: ['Needle', 'nobody', 'Seeded', 'Seeded party 7', String(big.smallParty)],
  user: ['Needle', 'nobody', 'Seeded', 'seeded-7@users.example'],
  suspended: ['true', 'false'],
  type: ['Buyer', 'Seller', 'None'],
  partyType: ['Buyer', 'Seller', 'None'],
  developerId: [big.bigDeveloper, big.smallDeveloper],
  appId: [big.bigApp, big.smallApp, 'no-such-app'],
  partyId: [big.bigParty, big.smallParty],
  installationId: [big.installation],
  partnerId: [big.bigParty, big.smallParty],
  memberId: [big.user],
  buyerId: [big.smallParty],
  sellerId: [big.bigParty, big.smallParty],
  status: ['active', 'suspended', 'uninstalled'],
  updatedSince: [daysAgo(-1), daysAgo(0.01), daysAgo(300)],
  since: [daysAgo(-1), daysAgo(0.05), daysAgo(70), daysAgo(900), '0001-01-01T00:00:00Z'],
  until: [daysAgo(-1), daysAgo(70), daysAgo(900), '9999-12-31T23:59:59.999Z'],
  from: [daysAgo(0).slice(0, 10), daysAgo(70).slice(0, 10)],
  to: [daysAgo(70).slice(0, 10), daysAgo(900).slice(0, 10)],
  actorKind: ['developer', 'user', 'operator', 'installation', 'system'],
  actorId: [big.user, 'nobody'],
  action: ['installation.settings_changed', 'developer.created', 'no.such.action'],
  subjectKind: ['installation', 'developer', 'nothing'],
  secrets: ['omit'],
  subjectId: ['i7', 'price-sync', 'nothing'],
})

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString()
}

/** A route's path with ids of things that have much, where it has parameters. */
export function withIds(url: string, big: Big, endpointId: string): string {
  const area = /^\/(?:v1\/)?\w+\/(\w+)/.exec(url)?.[1] ?? ''
  const ids: Record<string, string | number> = {
    Developers: big.bigDeveloper,
    Parties: big.bigParty,
    Users: big.user,
    Apps: big.bigApp,
    Installations: big.installation,
  }
  return url
    .replace(':id', String(ids[area]))
    .replace(':appId', big.bigApp)
    .replace(':installationId', big.installation)
    .replace(':endpointId', endpointId)
    .replace(/:\w+/g, String(big.bigParty))
}

/** The filters of a page: those of its controls, and those that only links set. */
export function filtersOf(page: string): string[] {
  const forms = [...page.matchAll(/<form[^>]* method="get"[\s\S]*?<\/form>/g)].join('')
  const names = [...forms.matchAll(/ name="(\w+)"/g)].map(([, name = '']) => name)
  const linked = ['partyId', 'developerId', 'partnerId', 'memberId', 'actorId']
  return [...new Set([...names, ...(forms.includes('class="search"') ? linked : [])])]
}
