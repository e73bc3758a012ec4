import { shownEmail } from '../../base/values/email.ts'
import { COUNTED_IN_LIST_MAX, type Page } from '../../base/values/page-of-list.ts'
import type { PartyRole } from '../../identity/accounts/members/roles.ts'
import type { PartyRecord, UserRecord } from '../../identity/accounts/operator-records.ts'
import type { OperatorApp } from '../../marketplace/apps/operator-app.ts'
import { accountGlyph, appFace, personAvatar } from '../kit/avatar.ts'
import { roleBadge, stateBadge } from '../kit/badge.ts'
import { visibilityBadge } from '../shared/app-parts/visibility-badge.ts'
import { installationCount } from '../shared/page/counts.ts'
import { type Html, html } from '../shared/page/html.ts'
import { csrfField, partyBadge } from '../shared/page/html-page.ts'
import { statusBadge } from '../shared/status/status-badge.ts'
import { pathTo } from './addresses.ts'
import type { InstallationEntry } from './record-details.ts'

/** A thing of a list: its name leads to its page. */
export type Row = {
  href: string
  face: Html
  name: string
  note: Html
  badges?: Html | false
  action?: Html
}

/** Things as rows that lead to their pages; `empty` stands in their place when there are none. */
export function rows<Entry>(
  entries: readonly Entry[],
  rowOf: (entry: Entry) => Row,
  empty: Html,
): Html {
  if (entries.length === 0) return empty
  return html`<ul class="rows">${entries.map((entry) => row(rowOf(entry)))}</ul>`
}

function row({ href, face, name, note, badges, action }: Row): Html {
  return html`<li class="row console-row">
${face}<span class="row-text"><a class="row-name" href="${href}"><bdi>${name}</bdi></a><span
class="row-note">${note}</span></span>${badges && html`<span class="badges">${badges}</span>`}${
    action && html`<div class="actions">${action}</div>`
  }</li>
`
}

/** A card of rows with a heading, and the way to all of them when there are more. */
export function rowsCard(id: string, title: string, content: Html, beside: Html | false = false) {
  return html`<section class="card flush" aria-labelledby="${id}"><div class="section-head">
<h2 id="${id}">${title}</h2>${beside}</div>${content}</section>
`
}

/** A party, and how it is taken from the party or the user whose list it stands in. */
export function partyRowOf({
  partnerId,
  memberId,
}: {
  partnerId?: number | string
  memberId?: string
}) {
  return (party: PartyRecord): Row => {
    if (partnerId !== undefined) {
      const href = `${pathTo('Parties', partnerId)}/Connections/${party.id}/Remove`
      return { ...partyRow(party), action: removeLink(href, 'Disconnect…', party.name) }
    }
    if (memberId === undefined) return partyRow(party)
    const href = `${pathTo('Users', memberId)}/Memberships/${party.id}/Remove`
    return { ...partyRow(party), action: removeLink(href, 'Remove…', `from ${party.name}`) }
  }
}

/** The role that somebody has in a party, and a form that changes it. */
export type RoleForm = {
  role: PartyRole | undefined
  /** Where the form goes, and the field that says whose role it is about. */
  action: string
  field: 'userId' | 'partyId'
  id: string | number
  /** False for visitors who may not change it. */
  csrfToken: string | false
  /** What the button says of it to those who do not see the row. */
  about: string
}

/** A row with the role, and its change beside what else the row offers. */
export function withRole(row: Row, form: RoleForm): Row {
  const { role, action, field, id, csrfToken, about } = form
  if (role === undefined) return row
  const isAdmin = role === 'admin'
  const badge = roleBadge(isAdmin ? 'Admin' : 'Member')
  const other = isAdmin ? 'member' : 'admin'
  const change =
    csrfToken !== false &&
    html`<form method="post" action="${action}">${csrfField(csrfToken)}<input type="hidden"
name="${field}" value="${id}"><button class="button small" type="submit" name="role" value="${other}">Make
${other}<span class="visually-hidden">: ${about}</span></button></form>`
  return { ...row, badges: html`${row.badges}${badge}`, action: html`${change}${row.action}` }
}

/** A user, and how it is taken from the party whose list it stands in. */
export function userRowOf({ partyId }: { partyId?: number | string }) {
  return (user: UserRecord): Row => {
    if (partyId === undefined) return userRow(user)
    const href = `${pathTo('Users', user.id)}/Memberships/${partyId}/Remove`
    return { ...userRow(user), action: removeLink(href, 'Remove…', user.name) }
  }
}

function removeLink(href: string, label: string, name: string): Html {
  return html`<a class="button small" href="${href}">${label}<span class="visually-hidden"> ${name}</span></a>`
}

/** Leads to the list of all, where a page shows the first ones. */
export function showAll({ next }: Page<unknown>, href: string): Html | false {
  return next !== undefined && html`<a class="button small" href="${href}">Show all</a>`
}

export const suspendedBadge = stateBadge('off', 'Suspended')

/** That a party or a developer is closed or suspended; nothing otherwise. */
export function suspendedBadgeOf({
  suspended,
  closedAt,
}: Pick<PartyRecord, 'suspended' | 'closedAt'>): Html | false {
  if (closedAt !== null) return stateBadge('off', 'Closed')
  return suspended && suspendedBadge
}

/** A party as a row. */
export function partyRow(party: PartyRecord): Row {
  const { id, name, type } = party
  const badges = html`${suspendedBadgeOf(party)}${partyBadge(type)}`
  const face = accountGlyph(type)
  return { href: pathTo('Parties', id), face, name, note: html`Account ${id}`, badges }
}

/** Says of a user that somebody else may have taken the email. */
export const unverifiedBadge = stateBadge('warn', 'Email not verified')

/** A user as a row. */
export function userRow(user: UserRecord): Row {
  const badges = html`${user.suspended && suspendedBadge}${user.operator && roleBadge('Operator')}${
    user.support && roleBadge('Support')
  }${!user.emailProved && unverifiedBadge}`
  return {
    href: pathTo('Users', user.id),
    face: personAvatar(user.name),
    name: user.name,
    note: html`<bdi>${shownEmail(user.email)}</bdi>`,
    badges,
  }
}

/** An app as a row. */
export function appRow(app: OperatorApp): Row {
  const lookAlike = stateBadge('warn', 'Look-alike name')
  // Nobody finds a suspended app, whether it is listed or not.
  const badges = html`${app.nameWarning !== null && lookAlike}${app.suspended ? suspendedBadge : visibilityBadge(app.visibility)}`
  const note = html`by <bdi>${app.developerName}</bdi> · version <bdi>${app.version}</bdi>
· ${installationCount(app.installations, COUNTED_IN_LIST_MAX)}`
  return {
    href: pathTo('Apps', app.id),
    face: appFace(app.id, app.icon?.id),
    name: app.name,
    note,
    badges,
  }
}

/** An installation as a row. */
export function installationRow(one: InstallationEntry): Row {
  const note = html`for <bdi>${one.partyName}</bdi> · version <bdi>${one.installedVersion}</bdi>`
  return {
    href: pathTo('Installations', one.id),
    face: appFace(one.appId, one.iconId),
    name: one.appName,
    note,
    badges: installationBadge(one),
  }
}

const WHAT = { app: 'App', developer: 'Developer', account: 'Account' } as const

/** How an installation stands, and what suspends it if it is not itself suspended. */
export function installationBadge({
  status,
  suspensions,
}: Pick<InstallationEntry, 'status' | 'suspensions'>): Html {
  const [cause] = suspensions
  return cause === undefined || cause.what === 'installation'
    ? statusBadge(status)
    : statusBadge('suspended', `${WHAT[cause.what]} suspended`)
}
