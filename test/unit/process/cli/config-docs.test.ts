import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { envExample, withConfigTable } from '../../../../src/process/cli/config-docs.ts'

const read = (file: string) => readFile(new URL(`../../../../${file}`, import.meta.url), 'utf8')
const HINT = 'run: npm run cli -- config-docs'

test('.env.example names every variable of the server, as it is declared', async () => {
  expect(await read('.env.example'), HINT).toBe(envExample())
})

test('so does the table of the README', async () => {
  const readme = await read('README.md')
  expect(readme, HINT).toBe(withConfigTable(readme))
})
