import { z } from 'zod'
import type { FieldError } from '../../errors.ts'
import { type Acknowledgement, acknowledgementSha256 } from '../apps/definition.ts'
import { type PermissionRequest, permissionWords } from '../apps/permissions.ts'

const EXAMPLE_SHA256 = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c'
const sha256 = z
  .string()
  .max(128)
  .describe('Hash of the wording that was read: SHA-256 in hex.')
  .meta({ example: EXAMPLE_SHA256 })

const AcceptedAcknowledgement = z
  .strictObject({ id: z.string().max(64), sha256 })
  .meta({ id: 'AcceptedAcknowledgement' })

const AcceptedAcknowledgements = z
  .array(AcceptedAcknowledgement)
  .max(100)
  .describe('The acknowledgements that are accepted, each by the hash of its wording.')
  .meta({ id: 'AcceptedAcknowledgements' })

const AcceptedTerms = z
  .strictObject({ sha256 })
  .describe('The terms document that is accepted, if there is one.')
  .meta({ id: 'AcceptedTerms' })

/** Members of a request that accept what an app asks. */
export const ConsentFields = {
  acknowledgements: AcceptedAcknowledgements.default([]),
  termsDocument: AcceptedTerms.nullish(),
}

/** What was accepted, as it is kept and answered. */
export const GivenConsent = z.object({
  acknowledgements: z
    .array(z.object({ id: z.string(), sha256: z.string() }))
    .describe('The acknowledgements that were accepted. The app has each text beside its hash.')
    .meta({ example: [{ id: 'overwrites-prices', sha256: EXAMPLE_SHA256 }] }),
  termsDocument: z
    .object({ sha256: z.string() })
    .nullable()
    .describe('The terms document that was accepted, if there is one.')
    .meta({ example: { sha256: EXAMPLE_SHA256 } }),
})

/** The acceptances in a request. */
export function consentOf(body: Consent): Consent {
  const { acknowledgements, termsDocument = null } = body
  return { acknowledgements, termsDocument }
}

/** What a request accepts. */
export type Consent = {
  acknowledgements: readonly { id: string; sha256: string }[]
  termsDocument?: { sha256: string } | null | undefined
}

/** What an app asks its users to accept. */
export type ConsentAsked = {
  acknowledgements: readonly Acknowledgement[]
  termsSha256: string | null
}

export type ConsentProblems = {
  errors: FieldError[]
  /** Whether every problem is the hash of a wording that has changed since it was read. */
  stale: boolean
}

/**
 * Compares what was accepted with what the app asks: every acknowledgement and the terms document
 * by the hash of its wording. Accepting anything else is a problem.
 *
 * @param required what must be accepted now; the rest was accepted before
 */
export function checkConsent(
  asked: ConsentAsked,
  given: Consent,
  required: ConsentAsked = asked,
): ConsentProblems {
  const stale: FieldError[] = []
  const errors: FieldError[] = []
  const wanted = new Map(asked.acknowledgements.map((one) => [one.id, acknowledgementSha256(one)]))
  const named = new Set<string>()
  for (const [index, { id, sha256 }] of given.acknowledgements.entries()) {
    const pointer = `/acknowledgements/${index}`
    const expected = wanted.get(id)
    if (expected === undefined) {
      errors.push({ pointer: `${pointer}/id`, detail: 'The app does not ask for this.' })
    } else if (named.has(id)) {
      errors.push({ pointer: `${pointer}/id`, detail: 'It is accepted twice.' })
    } else if (expected !== sha256.toLowerCase()) {
      stale.push({
        pointer: `${pointer}/sha256`,
        detail: 'The text has changed since you read it. Read it again and accept the new text.',
      })
    }
    named.add(id)
  }
  for (const { id, title } of required.acknowledgements) {
    if (named.has(id)) continue
    errors.push({ pointer: '/acknowledgements', detail: `"${id}" must be accepted: ${title}` })
  }
  const accepted = given.termsDocument?.sha256.toLowerCase()
  if (asked.termsSha256 === null) {
    if (accepted !== undefined) {
      stale.push({ pointer: '/termsDocument', detail: 'The app no longer has a terms document.' })
    }
  } else if (accepted === undefined && required.termsSha256 !== null) {
    errors.push({ pointer: '/termsDocument', detail: 'The terms document must be accepted.' })
  } else if (accepted !== undefined && accepted !== asked.termsSha256) {
    stale.push({
      pointer: '/termsDocument/sha256',
      detail: 'The document has changed since you read it. Read it again and accept the new one.',
    })
  }
  return { errors: [...errors, ...stale], stale: errors.length === 0 && stale.length > 0 }
}

/** An acceptance that was recorded before. */
type AcceptedBefore = { kind: string; subjectId: string | null; sha256: string }

/** The part of what an upgrade asks that was not accepted before, in the same wording. */
export function stillToAccept(
  asked: ConsentAsked,
  accepted: readonly AcceptedBefore[],
): ConsentAsked {
  const { termsSha256 } = asked
  return {
    acknowledgements: asked.acknowledgements.filter(
      (one) => !has(accepted, 'acknowledgement', one.id, acknowledgementSha256(one)),
    ),
    termsSha256:
      termsSha256 !== null && has(accepted, 'terms', null, termsSha256) ? null : termsSha256,
  }
}

/** The permissions of an upgrade that were not accepted before with the same purpose. */
export function newlyAccepted(
  permissions: readonly PermissionRequest[],
  accepted: readonly AcceptedBefore[],
): PermissionRequest[] {
  return permissions.filter(
    (one) => !has(accepted, 'permission', one.id, acknowledgementSha256(permissionWords(one))),
  )
}

function has(
  accepted: readonly AcceptedBefore[],
  kind: string,
  subjectId: string | null,
  sha256: string,
): boolean {
  return accepted.some(
    (one) => one.kind === kind && one.subjectId === subjectId && one.sha256 === sha256,
  )
}
