import { COMMAND_LINE } from '../../base/values/actor.ts'
import { removeUser } from '../../identity/accounts/remove-user-service.ts'
import { closeDeveloper, closeParty } from '../../marketplace/suspension/close-service.ts'
import type { CommandTable } from './command.ts'
import { uuid, wholeNumber, withMarketplace } from './marketplace.ts'

/** Commands that close parties and developers and remove users. */
export const CLOSING_COMMANDS: CommandTable = {
  'party close': {
    usage: 'party close --id ID',
    does: 'Close a party without installed apps for good.',
    options: ['id'],
    required: ['id'],
    run: ({ options: { id = '' } }) => {
      const partyId = wholeNumber(id, '--id')
      return withMarketplace((deps) => closeParty(deps, partyId, COMMAND_LINE))
    },
  },
  'developer close': {
    usage: 'developer close --id ID',
    does: 'Close a developer whose apps no account has installed, for good.',
    options: ['id'],
    required: ['id'],
    run: ({ options: { id = '' } }) => {
      const developerId = uuid(id, '--id')
      return withMarketplace((deps) => closeDeveloper(deps, developerId, COMMAND_LINE))
    },
  },
  'user remove': {
    usage: 'user remove --id ID',
    does: 'Remove a user for good: replace the email and name, and end all access.',
    options: ['id'],
    required: ['id'],
    run: async ({ options: { id = '' } }) => {
      const userId = uuid(id, '--id')
      await withMarketplace((deps) => removeUser(deps, userId, COMMAND_LINE))
      return { removed: true }
    },
  },
}
