import { readFile } from 'node:fs/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import { SchemaEngine } from '@prisma/schema-engine-wasm'

/**
 * The SQL that brings a database from one Prisma schema to another, made by Prisma's own
 * engine without a download. Used to write migrations and to prove that they agree with `schema.prisma`.
 */
export async function schemaDiffSql(
  connectionString: string,
  from: string | null,
  to: string,
): Promise<string> {
  // The engine asks the server only for its version; nothing is changed there.
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString }))
  const engine = await SchemaEngine.new({ datamodels: undefined }, () => {}, adapter)
  const datamodel = (content: string) => ({
    tag: 'schemaDatamodel' as const,
    files: [{ path: 'schema.prisma', content }],
  })
  const { stdout } = await engine.diff({
    from: from === null ? { tag: 'empty' } : datamodel(from),
    to: datamodel(to),
    shadowDatabaseUrl: null,
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  } as Parameters<typeof engine.diff>[0])
  return stdout ?? ''
}

/** The committed `schema.prisma`. */
export function readSchema(): Promise<string> {
  return readFile(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8')
}
