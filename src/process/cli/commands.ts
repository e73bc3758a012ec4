import { readFile, writeFile } from 'node:fs/promises'
import pkg from '../../../package.json' with { type: 'json' }
import { createLogger } from '../../base/log/logger.ts'
import { createMeasures } from '../../base/measures/measures.ts'
import { loadConfig } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { demoBanner } from '../demo/demo-file.ts'
import { createDemo } from '../demo/demo-service.ts'
import { demoFile, saveDemo } from '../start/data-dir.ts'
import { ACCOUNT_COMMANDS } from './account-commands.ts'
import { checkApp } from './app-check.ts'
import { BACKUP_COMMANDS } from './backup-commands.ts'
import { CLOSING_COMMANDS } from './closing-commands.ts'
import type { CommandTable } from './command.ts'
import { envExample, withConfigTable } from './config-docs.ts'
import { DEVELOPER_COMMANDS } from './developer-commands.ts'
import { withMarketplace } from './marketplace.ts'
import { OPERATION_COMMANDS } from './operation-commands.ts'
import { PRODUCT_COMMANDS } from './product-commands.ts'
import { SINGLE_SIGN_ON_COMMANDS } from './single-sign-on-commands.ts'

const OPENAPI_FILE = 'openapi/openapi.json'

/** Every command, by its name. */
export const COMMANDS: CommandTable = {
  migrate: {
    usage: 'migrate',
    does: 'Bring the database to the schema of this release.',
    options: [],
    required: [],
    // Opening the marketplace migrates the database, as the start of a server does.
    run: () => withMarketplace(async () => ({ migrated: true })),
  },
  demo: {
    usage: 'demo',
    does: 'Create the demo marketplace on an empty database and write DATA_DIR/demo.json.',
    options: [],
    required: [],
    run: () =>
      withMarketplace(async (deps, config) => {
        const demo = await createDemo(deps, (made) => saveDemo(config.dataDir, made))
        if (demo === undefined) {
          throw new AppError('conflict', { detail: 'The marketplace is not empty.' })
        }
        return demoBanner(demo, demoFile(config.dataDir))
      }),
  },
  openapi: {
    usage: 'openapi',
    does: `Write the OpenAPI document to ${OPENAPI_FILE}.`,
    options: [],
    required: [],
    async run() {
      const document = await makeOpenApiDocument()
      await writeFile(OPENAPI_FILE, `${JSON.stringify(document, null, 2)}\n`)
      return `${OPENAPI_FILE} written.`
    },
  },
  'config-docs': {
    usage: 'config-docs',
    does: 'Write .env.example and the configuration table of README.md.',
    options: [],
    required: [],
    async run() {
      await writeConfigDocs()
      return '.env.example and README.md written.'
    },
  },
  'app check': {
    usage: 'app check FILE [--against FILE]',
    does: 'Check an app definition and show what differs from what is published.',
    options: ['against'],
    required: [],
    files: 1,
    run: ({ options: { against }, files: [file = ''] }) => checkApp(file, against),
  },
  dev: {
    usage: 'dev <command>',
    does: 'Commands for developers of apps, by API: login, listen, trigger, app, sandbox, token. See `dev help`.',
    options: [],
    required: [],
    run: async () => 'npm run cli -- dev help',
  },
  ...ACCOUNT_COMMANDS,
  ...DEVELOPER_COMMANDS,
  ...BACKUP_COMMANDS,
  ...CLOSING_COMMANDS,
  ...OPERATION_COMMANDS,
  ...PRODUCT_COMMANDS,
  ...SINGLE_SIGN_ON_COMMANDS,
}

async function writeConfigDocs(): Promise<void> {
  await writeFile('.env.example', envExample())
  await writeFile('README.md', withConfigTable(await readFile('README.md', 'utf8')))
}

/** Makes the OpenAPI document from the schemas of all routes. */
export async function makeOpenApiDocument(): Promise<object> {
  // Loaded only here: the application is most of the code, and no other command needs it.
  const [{ buildApp }, { documentRoutes }, { EVENT_WEBHOOKS }] = await Promise.all([
    import('../../app.ts'),
    import('../../http/openapi/openapi.ts'),
    import('../../marketplace/events/event-webhooks.ts'),
  ])
  const app = await buildApp({
    deps: documentationDeps(),
    version: pkg.version,
    readiness: async () => undefined,
    beforeRoutes: (empty) => documentRoutes(empty, pkg.version, EVENT_WEBHOOKS),
  })
  await app.ready()
  return app.swagger()
}

/** Dependencies for describing routes, which needs no database. */
function documentationDeps(): Deps {
  const config = loadConfig({ LOG_LEVEL: 'silent' })
  const measures = createMeasures()
  return { config, log: createLogger(config), secretKey: '', measures } as Deps
}
