import { createCredential, removeCredential } from '../../../accounts/credentials-service.ts'
import { readDeveloper } from '../../../accounts/developers-service.ts'
import { CredentialPath } from '../../../accounts/operator-paths.ts'
import { changeDeveloperUnlessNameTaken } from '../../../accounts/unique-names-service.ts'
import { AppError, unless } from '../../../errors.ts'
import { filled, namedIn, type RecordForm, type Removal } from './forms-service.ts'

const edit: RecordForm = async (deps, id, typed, actor) => {
  await changeDeveloperUnlessNameTaken(deps, id, namedIn(typed), actor)
  return { done: 'changed' }
}

const addCredential: RecordForm = async (deps, id, typed, actor) => {
  const password = filled(typed, 'password')
  const developer = await readDeveloper(deps, id)
  const input = { clientId: filled(typed, 'clientId'), password }
  const made = await createCredential(deps, id, input, actor)
  if (password !== undefined) return { done: 'created' }
  return {
    title: `${developer.name} has a new credential.`,
    facts: { 'Client id': made.clientId, Password: made.password },
  }
}

const dropCredential: Removal<{ id: string; credentialId: string }> = {
  path: 'Credentials/:credentialId/Remove',
  params: CredentialPath,
  async ask(deps, { id, credentialId }) {
    const developer = await readDeveloper(deps, id)
    const credential = developer.credentials.find((one) => one.id === credentialId)
    if (credential === undefined) throw new AppError('not_found')
    return {
      title: `Remove the credential ${credential.clientId}`,
      effect: `Its tokens are refused from the next request on, and its client id is never used again. It cannot be undone.${developer.credentials.length === 1 ? ' It is the last one: the developer is locked out until it gets another.' : ''}`,
      button: 'Remove the credential',
      owner: developer.name,
    }
  },
  async remove(deps, { id, credentialId }, actor) {
    const developer = await readDeveloper(deps, id)
    await unless('not_found', removeCredential(deps, developer.id, credentialId, actor))
    return 'removed'
  },
}

/** What is done on the page of a developer: its name and its credentials. */
export const DEVELOPER_FORMS = { Edit: edit, Credentials: addCredential }
export const DEVELOPER_REMOVALS = [dropCredential]
