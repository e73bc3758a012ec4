import { COMMAND_LINE } from '../../base/values/actor.ts'
import { lifetimeText } from '../../identity/links/link.ts'
import { unlinkIdentities } from '../../identity/single-sign-on/identity-service.ts'
import { createSignInLink } from '../../identity/single-sign-on/sign-in-link-service.ts'
import type { CommandTable } from './command.ts'
import { uuid, withMarketplace } from './marketplace.ts'

/** Commands for single sign-on, and the command to sign in without it. */
export const SINGLE_SIGN_ON_COMMANDS: CommandTable = {
  'operator sign-in-link': {
    usage: 'operator sign-in-link --email E',
    does: `Create a link that signs an operator in once, within ${lifetimeText('sign_in')}, without a password.`,
    options: ['email'],
    required: ['email'],
    run: ({ options: { email = '' } }) => withMarketplace((deps) => createSignInLink(deps, email)),
  },
  'user unlink': {
    usage: 'user unlink --id ID',
    does: 'Unlink a user from single sign-on, so that another person can be linked.',
    options: ['id'],
    required: ['id'],
    run: ({ options: { id = '' } }) => {
      const userId = uuid(id, '--id')
      return withMarketplace((deps) => unlinkIdentities(deps, userId, COMMAND_LINE))
    },
  },
}
