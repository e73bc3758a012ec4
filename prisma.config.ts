import { defineConfig } from 'prisma/config'

// The engines package would download a schema engine that `generate` and `validate` never use.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
})
