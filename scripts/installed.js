// @ts-check
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Runs before everything else, on the Node of the system: plain JavaScript that Node 18 knows.

/** Oldest Node that runs TypeScript as it is, and knows what `scripts/server-node.js` tells it. */
const NODE_MIN = [22, 18]

const ROOT = new URL('..', import.meta.url)
const REBUILD =
  process.env.npm_config_ignore_scripts === 'true'
    ? 'npm rebuild --ignore-scripts=false'
    : 'npm rebuild'
const PREPARE = 'npm run prepare'

/**
 * What is missing in the installation, and the command that mends it, as one line.
 *
 * @param {boolean} isForDevelopment whether the tools for tests and checks are needed, too
 * @returns {string | undefined}
 */
function problemOfInstallation(isForDevelopment) {
  if (!has('node_modules/fastify')) return 'The packages are not installed. Run: npm ci'
  if (isForDevelopment && !has('node_modules/vitest')) {
    return 'The packages for development were left out. Run: npm ci --include=dev'
  }
  const isOld = isTooOld()
  const isBuilt = has('node_modules/node/bin/node')
  if (isOld && !isBuilt) {
    return has('node_modules/node')
      ? `The install scripts of the packages did not run. Run: ${REBUILD} && ${PREPARE}`
      : `Node ${NODE_MIN.join('.')} or newer is needed; this is ${process.versions.node}. Run: npm ci`
  }
  if (!has('src/base/database/generated/client.ts') || !has('src/web/assets/scalar.js')) {
    const mend = isBuilt ? PREPARE : `${REBUILD} && ${PREPARE}`
    return `The install script of this package did not run. Run: ${mend}`
  }
  if (isOld) {
    return (
      `Node ${NODE_MIN.join('.')} or newer is needed; this is ${process.versions.node}. ` +
      `Use npm, or ${fileURLToPath(new URL('node_modules/node/bin/node', ROOT))}`
    )
  }
  return undefined
}

function isTooOld() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [majorMin = 0, minorMin = 0] = NODE_MIN
  return major < majorMin || (major === majorMin && minor < minorMin)
}

/** @param {string} path */
function has(path) {
  return existsSync(new URL(path, ROOT))
}

// `node scripts/installed.js [dev]` before a command; `scripts/start.js` imports this file.
const problem = problemOfInstallation(process.argv[2] === 'dev')
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`)
  process.exit(1)
}
