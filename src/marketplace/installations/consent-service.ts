import type { Db } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import { acknowledgementSha256 } from '../apps/definition.ts'
import { type PermissionRequest, permissionWords } from '../apps/permissions.ts'
import type { ConsentAsked } from './consent.ts'

/** What was accepted: what was ticked, and what the app may do from now on, as the page says it. */
type Accepted = ConsentAsked & { permissions: readonly PermissionRequest[] }

/**
 * Keeps the evidence of what was accepted: by whom, when, from which address, the hash of the
 * wording, and the words once per hash.
 */
export async function recordAcceptances(
  tx: Db,
  { installationId, version, actor }: { installationId: string; version: string; actor: Actor },
  { acknowledgements, permissions, termsSha256 }: Accepted,
): Promise<void> {
  const texts = acknowledgements.map((one) => wordsOf('acknowledgement', one.id, one))
  const purposes = permissions.map((one) => wordsOf('permission', one.id, permissionWords(one)))
  await tx.acceptedText.createMany({
    // In one order: two that add the same words wait for each other, never crosswise.
    data: [...texts, ...purposes]
      .map(({ words }) => words)
      .sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1)),
    skipDuplicates: true,
  })
  const accepted = [
    ...texts.map(({ evidence }) => evidence),
    ...(termsSha256 === null ? [] : [{ kind: 'terms', sha256: termsSha256 }]),
    ...purposes.map(({ evidence }) => evidence),
  ]
  const { kind: actorKind, id: actorId, address } = actor
  const common = { installationId, version, actorKind, actorId, address }
  await tx.acceptance.createMany({ data: accepted.map((one) => ({ ...common, ...one })) })
}

function wordsOf(
  kind: string,
  subjectId: string,
  { title, text }: { title: string; text: string },
) {
  const sha256 = acknowledgementSha256({ title, text })
  return { words: { sha256, title, text }, evidence: { kind, subjectId, sha256 } }
}
