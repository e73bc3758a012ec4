import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  answerUrlProblem,
  authReturnUrlProblem,
  withAnswer,
  withToken,
} from '../../../../src/marketplace/apps/auth-return-url.ts'

describe('authReturnUrlProblem', () => {
  it.each([
    'https://price-sync.example/auth/return',
    'HTTPS://Price-Sync.example',
    'https://a.example:8443/cb?tenant=5&x=token',
    'https://a.example/cb?',
    'https://a.example/token/state?tokens=1&mystate=2',
    'https://bücher.example/cb',
    'http://localhost:4000/cb',
    'http://127.0.0.1:4000/auth/return',
    'http://[::1]:4000/cb',
    `https://a.example/${'x'.repeat(2048 - 18)}`,
  ])('accepts %.60s', (url) => {
    expect(authReturnUrlProblem(url)).toBeNull()
  })

  it.each([
    ['', 'absolute'],
    ['/cb', 'absolute'],
    ['//a.example/cb', 'absolute'],
    ['a.example/cb', 'absolute'],
    ['https:a.example', 'absolute'],
    ['https:///a.example', 'absolute'],
    ['https://', 'absolute'],
    ['https://a b.example', 'white space'],
    ['https://a.example:99999/', 'absolute'],
    ['https://%00/', 'absolute'],
    ['javascript:alert(1)', 'absolute'],
    ['data:text/html,x', 'absolute'],
    ['ftp://a.example/', 'absolute'],
    ['view-source:https://a.example/', 'absolute'],
    ['http://a.example/cb', 'https'],
    ['http://localhost.a.example/', 'https'],
    ['http://a.localhost/', 'https'],
    ['http://127.0.0.2/', 'https'],
    ['http://0.0.0.0/', 'https'],
    ['http://[::2]/', 'https'],
    ['https://user:pass@a.example/', 'user name'],
    ['https://@a.example/', 'user name'],
    ['https://:@a.example/', 'user name'],
    ['http://localhost@evil.example/', 'user name'],
    ['https://a.example/#x', 'fragment'],
    ['https://a.example/#', 'fragment'],
    ['https://a.example/cb\r\nSet-Cookie: a=b', 'white space'],
    ['https://a.example/\tcb', 'white space'],
    [' https://a.example/', 'white space'],
    ['https://a.example\\@evil.example/', 'backslash'],
    ['https://a.example/\u0000', 'white space'],
    ['https://a.example/\u202e', 'white space'],
    ['https://a.example/\ud800', 'white space'],
    ['https://a.example/?token=1', 'token'],
    ['https://a.example/?TOKEN', 'token'],
    ['https://a.example/?%74oken=1', 'token'],
    ['https://a.example/?a=1&State=2', 'state'],
    ['https://a.example/?a=1;token=2', 'token'],
    ['https://a.example/?token[]=2', 'token'],
    ['https://a.example/?token%5B0%5D=2', 'token'],
    ['https://a.example/?+token=2', 'token'],
    [`https://a.example/${'x'.repeat(3000)}`, '2048'],
    [`https://a.example/${'ä'.repeat(1000)}`, '2048'],
  ])('refuses %.60j', (url, part) => {
    expect(authReturnUrlProblem(url)).toContain(part)
    expect(() => withToken(url, 'secret')).toThrow(TypeError)
  })
})

describe('answerUrlProblem', () => {
  it.each(['code', 'iss', 'error', 'Error_Description', 'state', 'token'])(
    'refuses a %s of its own, which answers with codes add',
    (name) => {
      const url = `https://a.example/?${name}=1`
      expect(answerUrlProblem(url)).toContain(name.toLowerCase())
      expect(() => withAnswer(url, { code: 'c', state: 's' })).toThrow(TypeError)
    },
  )

  it('leaves them to addresses that take tokens', () => {
    expect(authReturnUrlProblem('https://a.example/?code=1&iss=2&error=3')).toBeNull()
  })
})

describe('withToken', () => {
  it.each([
    ['https://a.example', 'https://a.example/?token=t'],
    ['https://a.example/cb', 'https://a.example/cb?token=t'],
    ['https://a.example/cb?', 'https://a.example/cb?token=t'],
    ['https://a.example/cb??', 'https://a.example/cb??&token=t'],
    ['https://a.example/cb?x=1', 'https://a.example/cb?x=1&token=t'],
    ['https://a.example/cb?x=1&', 'https://a.example/cb?x=1&token=t'],
    ['https://a.example/cb?q=a+b%20c&q=2', 'https://a.example/cb?q=a+b%20c&q=2&token=t'],
  ])('%s becomes %s', (url, target) => {
    expect(withToken(url, 't')).toBe(target)
  })

  it('echoes the state, whatever it holds', () => {
    expect(withToken('https://a.example/', 't', 'a&token=x#\r\n')).toBe(
      'https://a.example/?token=t&state=a%26token%3Dx%23%0D%0A',
    )
    expect(withToken('https://a.example/', 't', '')).toBe('https://a.example/?token=t&state=')
    expect(withToken('https://a.example/', 't', '\ud800')).toContain('state=%EF%BF%BD')
  })

  const part = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      'token',
      'state',
      'TOKEN',
      '%74oken',
      '@',
      '#',
      '?',
      '&',
      ';',
      '\\',
      '\r\n',
      '//',
    ),
  )
  const url = fc
    .tuple(
      fc.constantFrom('https://', 'http://', 'HTTPS://', 'javascript:', '//', ''),
      fc.constantFrom('a.example', 'localhost', '127.0.0.1', '[::1]', 'u@a.example', ''),
      fc.array(fc.oneof(part, fc.constantFrom('/', '?', '&', '=', 'x')), { maxLength: 8 }),
    )
    .map(([scheme, host, rest]) => scheme + host + rest.join(''))

  it('keeps host and own query and adds exactly one token, for whatever is accepted', () => {
    fc.assert(
      fc.property(
        fc.oneof(url, fc.webUrl({ withQueryParameters: true })),
        fc.string(),
        (from, state) => {
          if (authReturnUrlProblem(from) !== null) return
          const target = withToken(from, 'a.b-c_d', state)
          const [before, after] = [new URL(from), new URL(target)]
          expect(/[\s\p{Cc}]/u.test(target)).toBe(false)
          expect(after.origin).toBe(before.origin)
          expect(after.pathname).toBe(before.pathname)
          expect(after.hash + after.username + after.password).toBe('')
          expect(after.searchParams.getAll('token')).toEqual(['a.b-c_d'])
          expect(after.searchParams.getAll('state')).toEqual([state.toWellFormed()])
          expect(after.search.startsWith(before.search)).toBe(true)
          const own = [...before.searchParams]
          expect([...after.searchParams].slice(0, own.length)).toEqual(own)
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('never throws on any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), url), (text) => {
        const problem = authReturnUrlProblem(text)
        expect(problem === null || problem.length > 0).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})
