import { z } from 'zod'
import type { PartyType } from '../../base/values/party-type.ts'
import { integerText } from '../../base/values/shapes.ts'
import { ACTOR_KINDS } from '../../identity/audit/audit-record.ts'
import type { Chosen } from '../kit/list-page.ts'
import {
  type Choose,
  fittingParam,
  oneOfParam,
  readChosen,
  textParam,
  uuidParam,
} from '../shared/forms/filter-params.ts'

const DAY_MS = 86_400_000

/** Whether something is suspended. */
export const suspensionParam = oneOfParam('suspended', ['true', 'false'])

/** Whether something is suspended or closed. */
export const closingParam = oneOfParam('suspended', ['true', 'false', 'closed'])

/** The id of a party. */
export const partyIdParam = (name: string) =>
  fittingParam(name, (value) => integerText().safeParse(value).success, 'the ID of an account')

/** A day. */
const dateParam = (name: string) =>
  fittingParam(
    name,
    (value) => z.iso.date().safeParse(value).success && value >= '1000' && value < '9999',
    'a date, such as 2026-11-21',
  )

/** The first day and the last one. */
const daysParam: Choose = async (reader) => {
  const days: Chosen = await readChosen(reader, [dateParam('from'), dateParam('to')])
  const { from, to } = days
  if (from !== undefined && to !== undefined && to < from) {
    reader.refuse('to', 'Choose a day that is not before From.')
  }
  return days
}

/** The filters of the audit trail in an address. */
export const TRAIL_PARAMS: readonly Choose[] = [
  textParam('q'),
  oneOfParam('actorKind', ACTOR_KINDS),
  textParam('action'),
  textParam('subjectKind'),
  textParam('subjectId'),
  daysParam,
  textParam('actorId'),
  uuidParam('developerId'),
  partyIdParam('partyId'),
]

/** The filters of lists whose entries have a name, a suspension and perhaps a developer. */
export function suspensionFilters({ q, suspended, developerId }: Chosen) {
  return { q, developerId, suspended: suspended === undefined ? undefined : suspended === 'true' }
}

/** The filters of the list of developers, and of all lists whose entries can be closed. */
export function closingFilters(chosen: Chosen) {
  const { q, suspended: state } = chosen
  if (state === undefined || state === 'false') return suspensionFilters(chosen)
  return { q, suspended: true, closed: state === 'closed' }
}

/** The filters of the list of parties. */
export function partyFilters(chosen: Chosen) {
  const { type, partnerId, memberId } = chosen
  return {
    ...closingFilters(chosen),
    type: type as PartyType,
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
  const { q, action, subjectKind, subjectId, actorId, developerId } = equal
  return {
    q,
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
