import { COMMAND_LINE } from '../../base/values/actor.ts'
import type { Page } from '../../base/values/page-of-list.ts'
import type { Suspension } from '../../identity/accounts/operator-records.ts'
import { listAudit } from '../../identity/audit/audit-trail-service.ts'
import { rotateSigningKeys } from '../../identity/tokens/rotate-service.ts'
import { listAllApps } from '../../marketplace/apps/operator-apps-service.ts'
import {
  INSTALLATION_STATUSES,
  type Installation,
} from '../../marketplace/installations/installation.ts'
import {
  listAllInstallations,
  resumeAsOperator,
  suspendAsOperator,
} from '../../marketplace/installations/operator/operator-installations-service.ts'
import {
  resume,
  type SuspendableKind,
  suspend,
} from '../../marketplace/suspension/suspend-and-resume-service.ts'
import { rekeySecrets } from '../../operation/re-encryption/rekey-service.ts'
import type { CommandTable } from './command.ts'
import {
  everyEntry,
  moment,
  pagesOf,
  UsageError,
  uuid,
  wholeNumber,
  withMarketplace,
} from './marketplace.ts'

const AUDIT_ENTRIES = 1000

/** Commands for suspensions, the audit trail, signing keys and SECRET_KEY. */
export const OPERATION_COMMANDS: CommandTable = {
  ...suspensionCommands('developer', uuid),
  ...suspensionCommands('app', (text) => text),
  ...suspensionCommands('party', (text, option) => String(wholeNumber(text, option))),
  ...suspensionCommands('user', uuid),
  ...suspensionCommands('installation', uuid),
  'app list': {
    usage: 'app list [--q TEXT] [--developer ID] [--limit N]',
    does: 'List apps, listed or not, or those with TEXT in their name or id.',
    options: ['q', 'developer', 'limit'],
    required: [],
    run: ({ options: { q, developer, limit } }) => {
      const filters = { q, developerId: optional(developer, uuid, '--developer') }
      return withMarketplace((deps) =>
        everyEntry((page) => listAllApps(deps, filters, page), limit),
      )
    },
  },
  'installation list': {
    usage: 'installation list [--app ID] [--developer ID] [--party ID] [--status S] [--limit N]',
    does: 'List live installations, or those that are active, suspended or uninstalled.',
    options: ['app', 'developer', 'party', 'status', 'limit'],
    required: [],
    run: ({ options: { app, developer, party, status, limit } }) => {
      const filters = {
        appId: app,
        developerId: optional(developer, uuid, '--developer'),
        partyId: optional(party, wholeNumber, '--party'),
        status: optional(status, installationStatus, '--status'),
      }
      return withMarketplace((deps) =>
        everyEntry((page) => listAllInstallations(deps, filters, page), limit),
      )
    },
  },
  'audit list': {
    usage:
      'audit list [--q TEXT] [--since T] [--until T] [--action A] [--subject-kind K] ' +
      '[--subject-id ID] [--developer ID] [--party ID] [--limit N]',
    does:
      `Show who did what, newest first; ${AUDIT_ENTRIES} entries unless --limit says more. ` +
      'TEXT is a name, an email, an id, or words of an action.',
    options: [
      'q',
      'since',
      'until',
      'action',
      'subject-kind',
      'subject-id',
      'developer',
      'party',
      'limit',
    ],
    required: [],
    run: ({ options: { q, since, until, action, developer, party, ...options }, warn, write }) => {
      const filters = {
        q: optional(q, searchText, '--q'),
        since: optional(since, moment, '--since'),
        until: optional(until, moment, '--until'),
        action,
        subjectKind: options['subject-kind'],
        subjectId: options['subject-id'],
        developerId: optional(developer, uuid, '--developer'),
        partyId: optional(party, wholeNumber, '--party'),
      }
      const limit = wholeNumber(options.limit ?? String(AUDIT_ENTRIES), '--limit')
      return withMarketplace(async (deps) => {
        const pages = pagesOf((page) => listAudit(deps, filters, page), limit)
        if (await writeEntries(pages, write)) {
          warn(`There are more than these ${limit}; see --limit and --until.`)
        }
      })
    },
  },
  'keys rotate': {
    usage: 'keys rotate [--leaked]',
    does: 'Sign tokens with a new key in 10 minutes; with --leaked at once, and every token ends.',
    options: [],
    flags: ['leaked'],
    required: [],
    run: ({ flags }) =>
      withMarketplace((deps) =>
        rotateSigningKeys(deps, { actor: COMMAND_LINE, leaked: flags.has('leaked') }),
      ),
  },
  'secrets rotate': {
    usage: 'secrets rotate',
    does: 'Encrypt with SECRET_KEY all stored secrets that SECRET_KEY_PREVIOUS still protects.',
    options: [],
    required: [],
    run: () => withMarketplace((deps) => rekeySecrets(deps, COMMAND_LINE)),
  },
}

/**
 * Writes the entries as one JSON array, page by page: a thousand large ones are too long for one
 * text.
 *
 * @returns whether there are more
 */
async function writeEntries<Entry>(
  pages: AsyncIterable<Page<Entry>>,
  write: (text: string) => void,
): Promise<boolean> {
  let separator = ''
  let isContinued = false
  write('[')
  for await (const { entries, next } of pages) {
    for (const entry of entries) {
      write(`${separator}\n  ${JSON.stringify(entry, null, 2).replaceAll('\n', '\n  ')}`)
      separator = ','
    }
    isContinued = next !== undefined
  }
  write(separator === '' ? ']\n' : '\n]\n')
  return isContinued
}

function optional<Value>(
  text: string | undefined,
  read: (text: string, option: string) => Value,
  option: string,
): Value | undefined {
  return text === undefined ? undefined : read(text, option)
}

/** As long as in the console and the API. */
const SEARCH_MAX_LENGTH = 200

function searchText(text: string, option: string): string {
  const wanted = text.trim()
  if (wanted !== '' && wanted.length <= SEARCH_MAX_LENGTH) return wanted
  throw new UsageError(`${option} takes a text of 1 to ${SEARCH_MAX_LENGTH} characters.`)
}

function installationStatus(text: string, option: string): Installation['status'] {
  const status = INSTALLATION_STATUSES.find((one) => one === text)
  if (status === undefined) {
    throw new UsageError(`${option} takes ${INSTALLATION_STATUSES.join(', ')}, not "${text}".`)
  }
  return status
}

type IdReader = (text: string, option: string) => string

function suspensionCommands(
  kind: SuspendableKind | 'installation',
  readId: IdReader,
): CommandTable {
  return {
    [`${kind} suspend`]: {
      usage: `${kind} suspend --id ID --reason R`,
      does: `Suspend ${/^[aeio]/.test(kind) ? 'an' : 'a'} ${kind} and reject its tokens.`,
      options: ['id', 'reason'],
      required: ['id', 'reason'],
      run: ({ options: { id = '', reason = '' } }) => {
        const subject = readId(id, '--id')
        return withMarketplace(
          (deps): Promise<Suspension> =>
            kind === 'installation'
              ? suspendAsOperator(deps, subject, { reason }, COMMAND_LINE)
              : suspend(deps, kind, subject, { reason }, COMMAND_LINE),
        )
      },
    },
    [`${kind} resume`]: {
      usage: `${kind} resume --id ID`,
      does: `Resume a suspended ${kind}. Tokens that have not expired work again.`,
      options: ['id'],
      required: ['id'],
      run: ({ options: { id = '' } }) => {
        const subject = readId(id, '--id')
        return withMarketplace(
          (deps): Promise<Suspension> =>
            kind === 'installation'
              ? resumeAsOperator(deps, subject, COMMAND_LINE)
              : resume(deps, kind, subject, COMMAND_LINE),
        )
      },
    },
  }
}
