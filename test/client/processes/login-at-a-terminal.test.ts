import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { CLI } from '../../setup/developer-cli.ts'
import { credentialsOf } from '../../setup/marketplace-client.ts'

/** Gives a command a terminal. */
const SCRIPT = '/usr/bin/script'

let market: TestMarketplace
let home: string
beforeAll(async () => {
  market = await startMarketplace()
  home = await mkdtemp(join(tmpdir(), 'login-at-a-terminal-'))
})
afterAll(async () => {
  await market.close()
  await rm(home, { recursive: true })
})

describe.runIf(existsSync(SCRIPT))('login at a terminal', () => {
  /** Signs in, and does something each time the password is asked for. */
  const loginWith = async (
    ...answers: ((child: ChildProcessWithoutNullStreams, pid: number) => void)[]
  ) => {
    const login = `"${process.execPath}" ${CLI} login --client-id northwind --url ${market.url}`
    // A shell with jobs goes on with one that was stopped.
    const jobs = `${login}; code=$?; [ $code -lt 128 ] && exit $code; fg > /dev/null`
    const command =
      answers.length > 1 ? `echo $$; exec bash -mc '${jobs}'` : `echo $$; exec ${login}`
    const child = spawn(SCRIPT, ['-qec', command, '/dev/null'], {
      env: { ...process.env, XDG_CONFIG_HOME: join(home, 'terminal') },
    })
    const left = [...answers]
    let shown = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text
      const asked = shown.split('Password: ').length - 1
      while (left.length > answers.length - asked) {
        left.shift()?.(child, Number.parseInt(shown, 10))
      }
    })
    const [code] = await once(child, 'close')
    return { code, shown: shown.replace(/^\d+\r\n/, '') }
  }

  test('shows nothing of a password that is typed', async () => {
    const { password } = credentialsOf(market, 'price-sync')
    expect(await loginWith(({ stdin }) => stdin.write(`x\u007f${password}\r`))).toEqual({
      code: 0,
      shown: `Password: \r\nSigned in to ${market.url} as northwind.\r\n`,
    })
  })

  test('asks again after Ctrl-Z, when it goes on', async () => {
    const { password } = credentialsOf(market, 'price-sync')
    const { code, shown } = await loginWith(
      ({ stdin }) => stdin.write('typed\u001a'),
      ({ stdin }) => stdin.write(`\u0015${password}\r`),
    )
    expect(shown).toContain(`Signed in to ${market.url} as northwind.`)
    expect(shown).not.toContain(password)
    expect(code).toBe(0)
  })

  test.each<[string, Parameters<typeof loginWith>[0]]>([
    ['an empty line', ({ stdin }) => stdin.write('\r')],
    ['Ctrl-C', ({ stdin }) => stdin.write('pass\u0003')],
    ['a signal', (_child, pid) => process.kill(pid, 'SIGTERM')],
  ])('ends after %s without a password', async (_what, answer) => {
    expect(await loginWith(answer)).toEqual({
      code: 2,
      shown: 'Password: \r\nNo password was typed.\r\n',
    })
  })
})
