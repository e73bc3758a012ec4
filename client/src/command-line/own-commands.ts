import { nextParameter, paged } from '../data/paged.ts'
import { listOwnApps, readOwnDeveloper } from '../generated/sdk.gen.ts'
import type { Command } from './command.ts'
import { forgetCredentials, readCredentials } from './credentials.ts'
import { requireOwnApp } from './own-app.ts'

/** Columns of a list, as wide as their longest cell but the last one. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, index) =>
    Math.max(...rows.map((row) => row[index]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

/** Commands that say who is signed in, and what is theirs. */
export const OWN_COMMANDS: Readonly<Record<string, Command>> = {
  whoami: {
    usage: 'whoami',
    does: 'Say which developer you are signed in as, and where.',
    options: [],
    async run({ credentialsFile, open }) {
      const { baseUrl, clientId } = await readCredentials(credentialsFile)
      const { data } = await readOwnDeveloper({ client: (await open()).client })
      return `${data.name} (${clientId}) at ${baseUrl}`
    },
  },
  logout: {
    usage: 'logout',
    does: 'Forget the credential on this machine. The credential itself stays valid.',
    options: [],
    async run({ credentialsFile }) {
      const wasThere = await forgetCredentials(credentialsFile)
      return wasThere ? 'Signed out.' : 'Nobody was signed in.'
    },
  },
  apps: {
    usage: 'apps',
    does: 'List your apps: ID, version, whether it is listed, name.',
    options: [],
    async run({ open }) {
      const { client } = await open()
      const all = paged(async (cursor) => {
        const query = cursor === undefined ? {} : { cursor }
        const { data, response } = await listOwnApps({ client, query })
        return { items: data, cursor: nextParameter(response, 'cursor') }
      }, undefined)
      const rows: string[][] = []
      for await (const { id, version, listed, name } of all) {
        rows.push([id, version, listed ? 'listed' : 'not listed', name])
      }
      return rows.length === 0 ? 'No apps yet. Create one: app push FILE' : table(rows)
    },
  },
  installations: {
    usage: 'installations [--app APP_ID]',
    does: 'List who has installed your apps: ID, app, version, status, account.',
    options: ['app'],
    async run({ options: { app }, open }) {
      const marketplace = await open()
      if (app !== undefined) await requireOwnApp(marketplace.client, app)
      const rows: string[][] = []
      for await (const one of marketplace.installations(app === undefined ? {} : { appId: app })) {
        rows.push([one.id, one.appId, one.installedVersion, one.status, one.partyName])
      }
      return rows.length === 0 ? 'No installations yet.' : table(rows)
    },
  },
}
