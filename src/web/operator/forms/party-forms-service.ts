import { PartyPath } from '../../../base/values/operator-paths.ts'
import { integerText } from '../../../base/values/shapes.ts'
import { AppError, ignoring } from '../../../errors.ts'
import {
  listConnections,
  removeConnection,
} from '../../../identity/accounts/connections-service.ts'
import { readParty } from '../../../identity/accounts/parties-service.ts'
import { changePartyUnlessNameTaken } from '../../../identity/accounts/unique-names-service.ts'
import { CLOSING, closeParty } from '../../../marketplace/suspension/close-service.ts'
import { pairOf } from '../access/access-service.ts'
import { OPERATOR_NOTICES } from '../operator-notices.ts'
import { namesake } from './field-specs.ts'
import {
  namedIn,
  type RecordForm,
  type RecordFormPage,
  type RecordForms,
  type Removal,
} from './forms-service.ts'
import { changeRoleOfUser } from './member-role-forms-service.ts'

const edit: RecordForm = async (deps, id, typed, actor) => {
  const { name } = await changePartyUnlessNameTaken(deps, Number(id), namedIn(typed), actor)
  return { done: OPERATOR_NOTICES.changed(name) }
}

const disconnect: Removal<{ id: string; otherId: string }> = {
  path: 'Connections/:otherId/Remove',
  recentFactor: false,
  params: PartyPath.extend({ otherId: integerText() }),
  async ask(deps, { id, otherId }) {
    const party = await readParty(deps, Number(id))
    const other = await readParty(deps, Number(otherId))
    const first = { after: undefined, limit: 1 }
    const { entries } = await listConnections(deps, pairOf(party, other.id), first)
    if (entries.length === 0) throw new AppError('not_found')
    return {
      title: `Disconnect ${party.name} and ${other.name}`,
      effect: 'The Buyer and its apps can no longer see the products of the Seller.',
      button: 'Disconnect',
      owner: party.name,
    }
  },
  async remove(deps, { id, otherId }, actor) {
    const party = await readParty(deps, Number(id))
    const other = await readParty(deps, Number(otherId))
    await ignoring('not_found', removeConnection(deps, pairOf(party, other.id), actor))
    return `${party.name} and ${other.name} are no longer connected.`
  },
}

const close: Removal<{ id: string }> = {
  path: 'Close',
  recentFactor: true,
  params: PartyPath,
  async ask(deps, { id }) {
    const { name } = await readParty(deps, Number(id))
    return {
      title: `Close ${name}`,
      effect: `${CLOSING.Parties} You cannot undo this.`,
      button: 'Close the account',
      owner: name,
    }
  },
  async remove(deps, { id }, actor) {
    const { name } = await closeParty(deps, Number(id), actor)
    return OPERATOR_NOTICES.closed(name)
  },
}

const rename: RecordFormPage = {
  fields: { name: { label: 'Name' }, ...namesake('Allow two accounts with this name') },
  async ask(deps, id) {
    const { name } = await readParty(deps, Number(id))
    return { title: `Rename ${name}`, owner: name, button: 'Save', stored: { name } }
  },
}

/** What is done on the page of a party: its name, the roles of its users, its connections. */
export const PARTY_FORMS = {
  Edit: { submit: edit, recentFactor: false, page: rename },
  Roles: { submit: changeRoleOfUser, recentFactor: true },
} satisfies RecordForms
export const PARTY_REMOVALS = [disconnect, close]
