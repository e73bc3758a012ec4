import { COMMAND_LINE } from '../../base/values/actor.ts'
import {
  createCredential,
  listCredentials,
  removeCredential,
} from '../../identity/accounts/credentials-service.ts'
import {
  changeDeveloper,
  createDeveloper,
  listDevelopers,
} from '../../identity/accounts/developers-service.ts'
import { unlessChosen } from '../../identity/accounts/operator-records.ts'
import { lifetimeText } from '../../identity/links/link.ts'
import { inviteByCommand } from '../../identity/people/command-invitation-service.ts'
import type { CommandTable } from './command.ts'
import { everyEntry, uuid, withMarketplace } from './marketplace.ts'

/** Commands for developers and their credentials. */
export const DEVELOPER_COMMANDS: CommandTable = {
  'developer create': {
    usage: 'developer create --name N [--client-id C] [--password-stdin]',
    does: 'Create a developer with a credential and a sandbox party.',
    options: ['name', 'client-id', 'password'],
    required: ['name'],
    run: ({ options: { name = '', 'client-id': clientId, password } }) =>
      withMarketplace(async (deps) => {
        const input = { name, clientId, password }
        return unlessChosen(input, await createDeveloper(deps, input, COMMAND_LINE))
      }),
  },
  'developer invite': {
    usage: 'developer invite EMAIL [NAME] --id DEVELOPER_ID [--link]',
    does:
      'Mail a link with which a person becomes an owner of a developer and opens its console; ' +
      `without SMTP_URL, or with --link, show it. It works once, for ${lifetimeText('invitation')}.`,
    options: ['id'],
    flags: ['link'],
    required: ['id'],
    files: [1, 2],
    run: ({
      options: { id = '' },
      flags,
      files: [email = '', name = email.split('@', 1)[0] ?? ''],
    }) => {
      const developerId = uuid(id, '--id')
      return withMarketplace((deps) =>
        inviteByCommand(
          deps,
          { email, name, developerId, role: 'owner' },
          flags.has('link') ? 'hand over' : 'mail',
        ),
      )
    },
  },
  'developer list': {
    usage: 'developer list [--q TEXT] [--limit N]',
    does: 'List developers with their live credentials, or those with TEXT in their name.',
    options: ['q', 'limit'],
    required: [],
    run: ({ options: { q, limit } }) =>
      withMarketplace((deps) => everyEntry((page) => listDevelopers(deps, { q }, page), limit)),
  },
  'developer rename': {
    usage: 'developer rename --id ID --name N',
    does: 'Change the name of a developer; its sandbox follows.',
    options: ['id', 'name'],
    required: ['id', 'name'],
    run: ({ options: { id = '', name = '' } }) => {
      const developerId = uuid(id, '--id')
      return withMarketplace((deps) => changeDeveloper(deps, developerId, { name }, COMMAND_LINE))
    },
  },
  'credential create': {
    usage: 'credential create --developer ID [--client-id C] [--password-stdin]',
    does: 'Create another credential of a developer, which can have two.',
    options: ['developer', 'client-id', 'password'],
    required: ['developer'],
    run: ({ options: { developer = '', 'client-id': clientId, password } }) => {
      const developerId = uuid(developer, '--developer')
      return withMarketplace(async (deps) => {
        const input = { clientId, password }
        return unlessChosen(input, await createCredential(deps, developerId, input, COMMAND_LINE))
      })
    },
  },
  'credential remove': {
    usage: 'credential remove --developer ID --id ID',
    does: 'Remove a credential and reject its tokens.',
    options: ['developer', 'id'],
    required: ['developer', 'id'],
    run: async ({ options: { developer = '', id = '' } }) => {
      const developerId = uuid(developer, '--developer')
      const credentialId = uuid(id, '--id')
      await withMarketplace((deps) =>
        removeCredential(deps, developerId, credentialId, COMMAND_LINE),
      )
      return { removed: true }
    },
  },
  'credential list': {
    usage: 'credential list --developer ID [--limit N]',
    does: 'List the live credentials of a developer.',
    options: ['developer', 'limit'],
    required: ['developer'],
    run: ({ options: { developer = '', limit } }) => {
      const developerId = uuid(developer, '--developer')
      return withMarketplace((deps) =>
        everyEntry((page) => listCredentials(deps, developerId, page), limit),
      )
    },
  },
}
