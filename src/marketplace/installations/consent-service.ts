import type { Db } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import { acknowledgementSha256 } from '../apps/definition.ts'
import type { ConsentAsked } from './consent.ts'

/**
 * Keeps the evidence of what was accepted: by whom, when, from which address, and the hash of the
 * wording.
 */
export async function recordAcceptances(
  tx: Db,
  { installationId, version, actor }: { installationId: string; version: string; actor: Actor },
  asked: ConsentAsked,
): Promise<void> {
  const common = {
    installationId,
    version,
    actorKind: actor.kind,
    actorId: actor.id,
    address: actor.address,
  }
  const acknowledgements = asked.acknowledgements.map((one) => ({
    ...common,
    kind: 'acknowledgement',
    subjectId: one.id,
    sha256: acknowledgementSha256(one),
  }))
  const terms =
    asked.termsSha256 === null ? [] : [{ ...common, kind: 'terms', sha256: asked.termsSha256 }]
  await tx.acceptance.createMany({ data: [...acknowledgements, ...terms] })
}
