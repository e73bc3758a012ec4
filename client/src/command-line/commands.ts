import { createInstallationToken, installAppInSandbox } from '../generated/sdk.gen.ts'
import { APP_COMMANDS } from './app-commands.ts'
import type { Command, Given } from './command.ts'
import { type Credentials, saveCredentials } from './credentials.ts'
import { readJsonFile } from './json-file.ts'
import { listen } from './listen.ts'
import { requireOwnApp } from './own-app.ts'
import { OWN_COMMANDS } from './own-commands.ts'
import { askSecret } from './password.ts'
import { TRIGGERED_TYPES, trigger } from './trigger.ts'
import { UsageError } from './usage-error.ts'
import { requireSite } from './web-address.ts'

const LOCAL_SERVER = 'http://127.0.0.1:3000'

/** The part of a server's demo.json that is used. */
type Demo = { baseUrl: string; developers: Pick<Credentials, 'clientId' | 'password'>[] }

/** Every command, by its name. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  login: {
    usage: 'login --client-id ID [--url URL] [--demo FILE]',
    does: `Sign in; the password comes on standard input, or out of a demo.json. URL is ${LOCAL_SERVER} by default.`,
    options: ['client-id', 'url', 'demo'],
    required: ['client-id'],
    async run(given) {
      const credentials = await askedCredentials(given)
      const marketplace = await given.open(credentials)
      for await (const _ of marketplace.installations({ limit: 1 }).pages()) break
      await saveCredentials(given.credentialsFile, credentials)
      return `Signed in to ${credentials.baseUrl} as ${credentials.clientId}.`
    },
  },
  listen: {
    usage: 'listen --forward-to URL [--app APP_ID] [--after POSITION] [--secret -]',
    does: 'Send events to a server on your machine as webhooks, from now on or after a position. With --secret - the secret comes on standard input.',
    options: ['forward-to', 'app', 'after', 'secret'],
    required: ['forward-to'],
    run: listen,
  },
  trigger: {
    usage: 'trigger TYPE --app APP_ID',
    does: `Make an event happen in your sandbox: ${TRIGGERED_TYPES.join(', ')}. Settings and listings that are changed for it are put back.`,
    options: ['app'],
    required: ['app'],
    words: [1, 1],
    run: async ({ words: [type = ''], options: { app = '' }, open }) =>
      trigger((await open()).client, type, app),
  },
  ...OWN_COMMANDS,
  ...APP_COMMANDS,
  sandbox: {
    usage: 'sandbox APP_ID [--option PURCHASE_OPTION_ID]',
    does: 'Install your app in your sandbox, in place of the installation that is there.',
    options: ['option'],
    words: [1, 1],
    async run({ words: [appId = ''], options: { option }, open }) {
      const { client } = await open()
      await requireOwnApp(client, appId)
      const body = option === undefined ? {} : { purchaseOptionId: option }
      return (await installAppInSandbox({ client, path: { appId }, body })).data
    },
  },
  token: {
    usage: 'token INSTALLATION_ID [--permissions A,B] [--expires-in SECONDS]',
    does: 'Print a token of one installation.',
    options: ['permissions', 'expires-in'],
    words: [1, 1],
    async run({ words: [installationId = ''], options, open }) {
      const { client } = await open()
      const { permissions, 'expires-in': seconds } = options
      const body = {
        installationId,
        ...(permissions !== undefined && {
          permissions: permissions.split(',').map((one) => one.trim()),
        }),
        ...(seconds !== undefined && { expiresIn: Number(seconds) }),
      }
      return (await createInstallationToken({ client, body })).data.token
    },
  },
}

async function askedCredentials({ options, ...streams }: Given): Promise<Credentials> {
  const { 'client-id': clientId = '', url, demo } = options
  if (url !== undefined) requireSite('--url', url, LOCAL_SERVER)
  if (demo !== undefined) {
    const { baseUrl, password } = await demoCredentials(demo, clientId)
    return { baseUrl: url ?? baseUrl, clientId, password }
  }
  return { baseUrl: url ?? LOCAL_SERVER, clientId, password: await askSecret(streams) }
}

async function demoCredentials(file: string, clientId: string): Promise<Credentials> {
  const { baseUrl, developers } = (await readJsonFile(file)) as Partial<Demo>
  if (typeof baseUrl !== 'string' || !Array.isArray(developers)) {
    throw new UsageError(`${file} is not the demo.json of a server.`)
  }
  const developer = developers.find((one) => one.clientId === clientId)
  if (developer === undefined) throw new UsageError(`${file} has no developer ${clientId}.`)
  return { baseUrl, ...developer }
}
