import { z } from 'zod'
import { integerText } from '../shapes.ts'
import type { FormFields } from '../web/settings-form.ts'
import type { Chosen } from './list-page.ts'

const TEXT_MAX_LENGTH = 200
const DAY_MS = 86_400_000

// Addresses are typed and shared: what makes no sense in them is passed over.

const choice =
  (name: string, makesSense: (value: string) => boolean) =>
  (fields: FormFields): Chosen => {
    const value = fields.get(name)?.trim() ?? ''
    return makesSense(value) ? { [name]: value } : {}
  }

/** A text of the query. */
export const text = (name: string) =>
  choice(name, (value) => value !== '' && value.length <= TEXT_MAX_LENGTH)

/** One of several values. */
export const oneOf = (name: string, values: readonly string[]) =>
  choice(name, (value) => values.includes(value))

/** Whether something is suspended. */
export const suspension = oneOf('suspended', ['true', 'false'])

/** An id that is a UUID. */
export const uuid = (name: string) => choice(name, (value) => z.uuid().safeParse(value).success)

/** The id of a party. */
export const partyId = (name: string) =>
  choice(name, (value) => integerText().safeParse(value).success)

/** A day. */
export const date = (name: string) =>
  choice(
    name,
    (value) => z.iso.date().safeParse(value).success && value >= '1000' && value < '9999',
  )

/** The filters of lists whose entries have a name, a suspension and perhaps a developer. */
export function suspensionFilters({ q, suspended, developerId }: Chosen) {
  return { q, developerId, suspended: suspended === undefined ? undefined : suspended === 'true' }
}

/** The filters of the list of parties. */
export function partyFilters(chosen: Chosen) {
  const { type, partnerId, memberId } = chosen
  return {
    ...suspensionFilters(chosen),
    type: type as 'Buyer' | 'Seller' | 'None',
    partnerId: numberOf(partnerId),
    memberId,
  }
}

/** The filters of the list of users. */
export function userFilters(chosen: Chosen) {
  return { ...suspensionFilters(chosen), partyId: numberOf(chosen.partyId) }
}

/** The filters of the list of installations. */
export function installationFilters({ appId, developerId, status, partyId: party }: Chosen) {
  return {
    appId,
    developerId,
    partyId: numberOf(party),
    status: status as 'active' | 'suspended' | 'uninstalled' | undefined,
  }
}

/** The filters of the audit trail; the last day counts. */
export function trailFilters({ from, to, partyId: party, actorKind, ...equal }: Chosen) {
  const { action, subjectKind, subjectId, actorId, developerId } = equal
  return {
    action,
    subjectKind,
    subjectId,
    actorId,
    developerId,
    actorKind: actorKind as
      | 'developer'
      | 'user'
      | 'operator'
      | 'installation'
      | 'system'
      | undefined,
    partyId: numberOf(party),
    since: from === undefined ? undefined : `${from}T00:00:00.000Z`,
    until: to === undefined ? undefined : new Date(Date.parse(to) + DAY_MS).toISOString(),
  }
}

function numberOf(value: string | undefined): number | undefined {
  return value === undefined ? undefined : Number(value)
}
