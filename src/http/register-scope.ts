import type { App } from './app-type.ts'

/** Fastify documents that it takes this name before it compares all modules that are loaded. */
const NAME = Symbol.for('fastify.display-name')

/** Registers a feature in a scope of its own: its hooks count for nothing else. */
export async function registerScope(
  app: App,
  feature: (scope: App) => Promise<unknown>,
): Promise<void> {
  const plugin = async (scope: unknown) => {
    await feature(scope as App)
  }
  await app.register(Object.assign(plugin, { [NAME]: feature.name || 'scope' }))
}
