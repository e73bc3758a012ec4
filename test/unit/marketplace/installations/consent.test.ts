import { describe, expect, test } from 'vitest'
import { acknowledgementSha256 } from '../../../../src/marketplace/apps/definition.ts'
import {
  checkConsent,
  newlyAccepted,
  stillToAccept,
} from '../../../../src/marketplace/installations/consent.ts'

const ack = (id: string, text = `Words of ${id}`) => ({ id, title: `Title ${id}`, text, order: 1 })
const accepted = (...ids: string[]) => ids.map((id) => ({ id, sha256: shaOf(id) }))
const shaOf = (id: string) => acknowledgementSha256(ack(id))
const TERMS = 'ab'.repeat(32)
const asked = { acknowledgements: [ack('a'), ack('b')], termsSha256: TERMS }
const all = { acknowledgements: accepted('a', 'b'), termsDocument: { sha256: TERMS } }
const pointersOf = ({ errors }: ReturnType<typeof checkConsent>) =>
  errors.map(({ pointer }) => pointer)

describe('the consent that is given', () => {
  test('to everything that is asked has no problem', () => {
    expect(checkConsent(asked, all)).toEqual({ errors: [], stale: false })
  })

  test('may come in any order and its hashes in upper case', () => {
    const given = {
      acknowledgements: accepted('b', 'a').map(({ id, sha256 }) => ({
        id,
        sha256: sha256.toUpperCase(),
      })),
      termsDocument: { sha256: TERMS.toUpperCase() },
    }
    expect(checkConsent(asked, given)).toEqual({ errors: [], stale: false })
  })

  test('to nothing names each thing that is missing', () => {
    const problems = checkConsent(asked, { acknowledgements: [], termsDocument: null })
    expect(pointersOf(problems)).toEqual([
      '/acknowledgements',
      '/acknowledgements',
      '/termsDocument',
    ])
    expect(problems.stale).toBe(false)
    expect(problems.errors[0]?.detail).toContain('"a" must be accepted')
  })

  test('to former words is stale, and nothing else', () => {
    const given = {
      acknowledgements: [
        ...accepted('b'),
        { id: 'a', sha256: acknowledgementSha256(ack('a', 'x')) },
      ],
      termsDocument: { sha256: 'cd'.repeat(32) },
    }
    const problems = checkConsent(asked, given)
    expect(pointersOf(problems)).toEqual(['/acknowledgements/1/sha256', '/termsDocument/sha256'])
    expect(problems.stale).toBe(true)
  })

  test('that is stale here and missing there is not only stale', () => {
    const given = { acknowledgements: [{ id: 'a', sha256: 'x' }], termsDocument: all.termsDocument }
    const problems = checkConsent(asked, given)
    expect(pointersOf(problems).sort()).toEqual(['/acknowledgements', '/acknowledgements/0/sha256'])
    expect(problems.stale).toBe(false)
  })

  test('to terms that are gone is stale', () => {
    const problems = checkConsent({ ...asked, termsSha256: null }, all)
    expect(problems).toMatchObject({ stale: true, errors: [{ pointer: '/termsDocument' }] })
  })

  test.each(['c', 'constructor', '__proto__', ''])(
    'to %j, which is not asked, is refused',
    (id) => {
      const given = { ...all, acknowledgements: [...all.acknowledgements, { id, sha256: 'x' }] }
      const problems = checkConsent(asked, given)
      expect(pointersOf(problems)).toEqual(['/acknowledgements/2/id'])
      expect(problems.stale).toBe(false)
    },
  )

  test('twice to the same is refused', () => {
    const given = { ...all, acknowledgements: accepted('a', 'b', 'a') }
    expect(pointersOf(checkConsent(asked, given))).toEqual(['/acknowledgements/2/id'])
  })

  test('of an app that asks nothing is nothing', () => {
    const nothing = { acknowledgements: [], termsSha256: null }
    const given = { acknowledgements: [], termsDocument: null }
    expect(checkConsent(nothing, given)).toEqual({ errors: [], stale: false })
  })
})

describe('what was accepted before', () => {
  const rows = [
    { kind: 'acknowledgement', subjectId: 'a', sha256: shaOf('a') },
    { kind: 'terms', subjectId: null, sha256: TERMS },
  ]

  test('in the same words is not asked again', () => {
    expect(stillToAccept(asked, rows)).toEqual({ acknowledgements: [ack('b')], termsSha256: null })
  })

  test('in other words is asked again', () => {
    const changed = { acknowledgements: [ack('a', 'New words')], termsSha256: 'cd'.repeat(32) }
    expect(stillToAccept(changed, rows)).toEqual(changed)
  })

  test('under another id or as another kind does not count', () => {
    const others = [
      { kind: 'acknowledgement', subjectId: 'b', sha256: shaOf('a') },
      { kind: 'acknowledgement', subjectId: null, sha256: TERMS },
      { kind: 'terms', subjectId: 'a', sha256: shaOf('a') },
    ]
    expect(stillToAccept(asked, others)).toEqual(asked)
  })

  test('may be given again, but need not', () => {
    const required = stillToAccept(asked, rows)
    const only = { acknowledgements: accepted('b'), termsDocument: null }
    expect(checkConsent(asked, only, required).errors).toEqual([])
    expect(checkConsent(asked, all, required).errors).toEqual([])
  })

  test('and given again in other words is stale', () => {
    const required = stillToAccept(asked, rows)
    const given = {
      acknowledgements: [...accepted('b'), { id: 'a', sha256: 'former' }],
      termsDocument: null,
    }
    expect(checkConsent(asked, given, required)).toMatchObject({ stale: true })
  })
})

describe('the permissions of an upgrade', () => {
  const permission = (purpose: string) => ({ id: 'products:read' as const, purpose })
  const before = {
    ...{ kind: 'permission', subjectId: 'products:read' },
    sha256: acknowledgementSha256({ title: 'Read products', text: 'Compares prices.' }),
  }

  test('are accepted anew with another purpose, and only then', () => {
    expect(newlyAccepted([permission('Compares prices.')], [before])).toEqual([])
    expect(newlyAccepted([permission('Sells them.')], [before])).toHaveLength(1)
    expect(newlyAccepted([permission('Compares prices.')], [])).toHaveLength(1)
    const asAcknowledgement = { ...before, kind: 'acknowledgement' }
    expect(newlyAccepted([permission('Compares prices.')], [asAcknowledgement])).toHaveLength(1)
  })
})
