import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import pkg from '../../../package.json' with { type: 'json' }

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const COMMIT = /^[0-9a-f]{40,64}$/
const SHOWN_LENGTH = 12

/**
 * The version of the release, with the commit that it was built from where that is known: two builds
 * of one release differ in it (semver.org, 10).
 *
 * @param commit as `BUILD_COMMIT` names it; that of the checkout in `root` unless given
 */
export async function buildVersion(commit: string | undefined, root = ROOT): Promise<string> {
  const known = commit ?? (await commitOfCheckout(root).catch(() => undefined))
  return known === undefined ? pkg.version : `${pkg.version}+${known.slice(0, SHOWN_LENGTH)}`
}

/** Reads what git wrote (gitrepository-layout(5)): the program itself need not be there. */
async function commitOfCheckout(root: string): Promise<string | undefined> {
  const own = await gitDirectory(root)
  const head = await textOf(own, 'HEAD')
  const branch = /^ref: (refs\/\S+)$/.exec(head)?.[1]
  if (branch === undefined) return commitIn(head)
  // A work tree shares the branches of the repository that it belongs to.
  const shared = await textOf(own, 'commondir').then(
    (path) => resolve(own, path),
    () => own,
  )
  const loose = await textOf(shared, branch).catch(() => undefined)
  if (loose !== undefined) return commitIn(loose)
  const lines = (await textOf(shared, 'packed-refs')).split('\n')
  return commitIn(lines.find((line) => line.endsWith(` ${branch}`))?.split(' ', 1)[0])
}

/** `.git`, or what it names in a work tree. */
async function gitDirectory(root: string): Promise<string> {
  const named = await textOf(root, '.git').catch(() => undefined)
  return resolve(root, named?.replace(/^gitdir: /, '') ?? '.git')
}

async function textOf(directory: string, file: string): Promise<string> {
  return (await readFile(resolve(directory, file), 'utf8')).trim()
}

function commitIn(text: string | undefined): string | undefined {
  return text !== undefined && COMMIT.test(text) ? text : undefined
}
