import { CredentialPath, DeveloperPath } from '../../../base/values/operator-paths.ts'
import { AppError, ignoring } from '../../../errors.ts'
import {
  createCredential,
  removeCredential,
} from '../../../identity/accounts/credentials-service.ts'
import { readDeveloper } from '../../../identity/accounts/developers-service.ts'
import { changeDeveloperUnlessNameTaken } from '../../../identity/accounts/unique-names-service.ts'
import { CLOSING, closeDeveloper } from '../../../marketplace/suspension/close-service.ts'
import { OPERATOR_NOTICES } from '../operator-notices.ts'
import { addMember, changeRole, dropMember, newMember } from './developer-people-forms-service.ts'
import { CLIENT_ID, NEW_PASSWORD, namesake } from './field-specs.ts'
import {
  filled,
  namedIn,
  type RecordForm,
  type RecordFormPage,
  type RecordForms,
  type Removal,
} from './forms-service.ts'

const edit: RecordForm = async (deps, id, typed, actor) => {
  const { name } = await changeDeveloperUnlessNameTaken(deps, id, namedIn(typed), actor)
  return { done: OPERATOR_NOTICES.changed(name) }
}

const addCredential: RecordForm = async (deps, id, typed, actor) => {
  const password = filled(typed, 'password')
  const developer = await readDeveloper(deps, id)
  const input = { clientId: filled(typed, 'clientId'), password }
  const made = await createCredential(deps, id, input, actor)
  const title = `${developer.name} has a new credential, ${made.clientId}.`
  if (password !== undefined) return { done: title }
  return {
    title,
    facts: { 'Client ID': made.clientId, Password: made.password },
  }
}

const CREDENTIAL_REMOVAL =
  'can no longer sign in, its tokens are refused immediately, and it can never be reused. You cannot undo this.'
const LAST_CREDENTIAL =
  ' It is the last credential: the developer cannot sign in until it gets another.'

const dropCredential: Removal<{ id: string; credentialId: string }> = {
  path: 'Credentials/:credentialId/Remove',
  recentFactor: true,
  params: CredentialPath,
  async ask(deps, { id, credentialId }) {
    const developer = await readDeveloper(deps, id)
    const credential = developer.credentials.find((one) => one.id === credentialId)
    if (credential === undefined) throw new AppError('not_found')
    return {
      title: `Remove the credential ${credential.clientId}`,
      effect: `${credential.clientId} ${CREDENTIAL_REMOVAL}${developer.credentials.length === 1 ? LAST_CREDENTIAL : ''}`,
      button: 'Remove the credential',
      owner: developer.name,
    }
  },
  async remove(deps, { id, credentialId }, actor) {
    const { credentials, id: developerId } = await readDeveloper(deps, id)
    const credential = credentials.find((one) => one.id === credentialId)
    await ignoring('not_found', removeCredential(deps, developerId, credentialId, actor))
    const name = credential === undefined ? 'credential' : `credential ${credential.clientId}`
    return `The ${name} was removed. Its tokens are refused.`
  },
}

const close: Removal<{ id: string }> = {
  path: 'Close',
  recentFactor: true,
  params: DeveloperPath,
  async ask(deps, { id }) {
    const { name } = await readDeveloper(deps, id)
    return {
      title: `Close ${name}`,
      effect: `${CLOSING.Developers} You cannot undo this.`,
      button: 'Close the developer',
      owner: name,
    }
  },
  async remove(deps, { id }, actor) {
    const { name } = await closeDeveloper(deps, id, actor)
    return OPERATOR_NOTICES.closed(name)
  },
}

const rename: RecordFormPage = {
  fields: { name: { label: 'Name' }, ...namesake('Allow two developers with this name') },
  async ask(deps, id) {
    const { name } = await readDeveloper(deps, id)
    return { title: `Rename ${name}`, owner: name, button: 'Save', stored: { name } }
  },
}

const newCredential: RecordFormPage = {
  fields: { clientId: CLIENT_ID, password: NEW_PASSWORD },
  async ask(deps, id) {
    const { name } = await readDeveloper(deps, id)
    const lead = 'A developer can have two, to replace one without downtime.'
    return { title: `Add a credential for ${name}`, lead, owner: name, button: 'Add credential' }
  },
}

/** What is done on the page of a developer: its name, its credentials and its people. */
export const DEVELOPER_FORMS = {
  Edit: { submit: edit, recentFactor: false, page: rename },
  Credentials: { submit: addCredential, recentFactor: true, page: newCredential },
  Members: { submit: addMember, recentFactor: true, page: newMember },
  Roles: { submit: changeRole, recentFactor: true },
} satisfies RecordForms
export const DEVELOPER_REMOVALS = [dropCredential, dropMember, close]
