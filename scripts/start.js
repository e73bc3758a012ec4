// @ts-check
// Ends with a line that says what to do when the installation is not complete.
import './installed.js'
import { fileURLToPath } from 'node:url'
import { ALLOCATOR_VARIABLES, NODE_FLAGS } from './server-node.js'

/** @param {string} path */
const fileOf = (path) => fileURLToPath(new URL(path, import.meta.url))

/** `npm run dev`: the server starts again when a file of it changes. */
const WATCH = process.argv[2] === 'dev' ? ['--watch', `--watch-path=${fileOf('../src')}`] : []

// The server takes the place of this process: signals and the exit code are its own. What this
// process was told itself, such as another --max-old-space-size, comes last and counts.
process.execve?.(
  process.execPath,
  [process.execPath, ...NODE_FLAGS, ...process.execArgv, ...WATCH, fileOf('../src/server.ts')],
  {
    NODE_COMPILE_CACHE: fileOf('../node_modules/.cache/compiled'),
    ...ALLOCATOR_VARIABLES,
    ...process.env,
  },
)
