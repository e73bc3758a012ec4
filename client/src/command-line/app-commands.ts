import { MarketplaceError } from '../errors.ts'
import { createApp, replaceApp } from '../generated/sdk.gen.ts'
import type { App, AppDefinition, DefinitionChange } from '../generated/types.gen.ts'
import type { Marketplace } from '../marketplace.ts'
import type { Command, Given } from './command.ts'
import { readJsonFile } from './json-file.ts'
import { findOwnApp } from './own-app.ts'

const FILE = { options: [], words: [1, 1] } as const

/** Commands for definitions of apps in files. */
export const APP_COMMANDS: Readonly<Record<string, Command>> = {
  'app check': {
    ...FILE,
    usage: 'app check FILE',
    does: 'Check an app definition. Nothing is stored.',
    async run(given) {
      const { definition, changes } = await namingFile(given, () => compare(given))
      const state = changes === undefined ? 'not published yet' : countOf(changes)
      return `${definition.name} ${definition.version} is valid: ${state}.`
    },
  },
  'app diff': {
    ...FILE,
    usage: 'app diff FILE',
    does: 'Show what differs from the published definition. Nothing is stored.',
    async run(given) {
      const { changes } = await namingFile(given, () => compare(given))
      if (changes === undefined) return 'The app is not published yet.'
      return changes.length === 0 ? countOf(changes) : changes.map(changeLine).join('\n')
    },
  },
  'app push': {
    ...FILE,
    usage: 'app push FILE',
    does: 'Create the app, or replace its definition.',
    run: (given) => namingFile(given, () => push(given)),
  },
}

async function push(given: Given): Promise<string> {
  const { client, definition, etag } = await publishedBeside(given)
  if (etag === undefined) {
    const { data } = await createApp({ client, body: definition })
    return `${(data as App).name} ${definition.version} was created.`
  }
  const path = { appId: definition.id }
  await replaceApp({ client, path, body: definition, headers: { 'If-Match': etag } })
  return `${definition.name} ${definition.version} is published.`
}

/** Does something with the definition in a file; problems of the definition are said of the file. */
async function namingFile<T>({ words: [file = ''] }: Given, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof MarketplaceError) || error.errors.length === 0) throw error
    const { code, status, errors, requestId, members } = error
    const count = `${errors.length} problem${errors.length === 1 ? '' : 's'}`
    const message = `${file} has ${count}:`
    throw new MarketplaceError({ code, message, status, errors, requestId, members, cause: error })
  }
}

type Compared = { definition: AppDefinition; changes: DefinitionChange[] | undefined }

async function compare(given: Given): Promise<Compared> {
  const { client, definition, etag } = await publishedBeside(given)
  const query = { dryRun: true }
  if (etag === undefined) {
    await createApp({ client, body: definition, query })
    return { definition, changes: undefined }
  }
  const path = { appId: definition.id }
  const { data } = await replaceApp({ client, path, body: definition, query })
  return { definition, changes: (data as { changes: DefinitionChange[] }).changes }
}

/** The definition in the file, and the app's revision if the app is published. */
async function publishedBeside({ words: [file = ''], open }: Given) {
  const definition = (await readJsonFile(file)) as AppDefinition
  const { client }: Marketplace = await open()
  return { client, definition, etag: (await findOwnApp(client, definition.id))?.etag }
}

/** One change on one line. */
export function changeLine({ breaking, kind, pointer, detail }: DefinitionChange): string {
  return `${breaking ? 'BREAKING' : 'harmless'}  ${kind}  ${pointer}: ${detail}`
}

function countOf(changes: readonly DefinitionChange[]): string {
  if (changes.length === 0) return 'the same as published'
  return `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`
}
