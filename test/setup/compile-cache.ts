import { fileURLToPath } from 'node:url'

/** Where the processes that tests start keep their compiled modules: they start twice as fast. */
export const COMPILE_CACHE = fileURLToPath(
  new URL('../../node_modules/.cache/compiled', import.meta.url),
)
