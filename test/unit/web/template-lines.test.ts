import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const LINE_MAX = 140

/** A sentence or a pattern is one literal, which has no place to break it; markup has. */
const ONE_LITERAL =
  /^\s*(?:(?:const )?[\w.]+(?::| =) )?(?:\? )?(['"`/])(?:(?!\1).|\\.)*\1[dgimsuvy]*(?:\.\w+\(.*)?[,;)]*$/

it('no line of the source is longer than 140 columns, templates included', () => {
  const files = globSync('src/**/*.ts').filter((file) => !file.includes('/database/generated/'))
  expect(files.length).toBeGreaterThan(300)
  const isTooLong = (line: string) =>
    line.length > LINE_MAX && (!ONE_LITERAL.test(line) || line.includes('</'))
  const tooLong = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (isTooLong(line) ? [`${file}:${index + 1}`] : [])),
  )
  expect(tooLong).toEqual([])
})
