import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const run = promisify(execFile)
const CLIENT = fileURLToPath(new URL('../../client/', import.meta.url))
const COMMITTED = join(CLIENT, 'src/generated')
const GENERATOR = join(CLIENT, 'node_modules/@hey-api/openapi-ts/bin/run.js')

test('types and calls of the client package are those of the document (npm run openapi)', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'generated-client-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const output = join(directory, 'generated')
  const config = join(directory, 'config.mjs')
  const own = pathToFileURL(join(CLIENT, 'openapi-ts.config.mjs')).href
  await writeFile(
    config,
    `import own from '${own}'
    export default { ...own, output: { ...own.output, path: ${JSON.stringify(output)} } }`,
  )
  await run(process.execPath, [GENERATOR, '-f', config], { cwd: directory })
  const files = await readdir(output, { recursive: true })
  expect(files.sort()).toEqual((await readdir(COMMITTED, { recursive: true })).sort())
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const [fresh, committed] = await Promise.all(
      [output, COMMITTED].map((place) => readFile(join(place, file), 'utf8')),
    )
    expect(committed === fresh, `${file} is another one`).toBe(true)
  }
})
