import { ignoring } from '../../errors.ts'

const NOT_OPEN =
  'The invitation is not open any more: it was revoked, was accepted, or has run out.'

/** What a page says after somebody has revoked an invitation, which may have been accepted meanwhile. */
export async function revocationNotice(work: Promise<void>): Promise<string> {
  const isRevoked = await ignoring(
    'not_found',
    work.then(() => true),
  )
  return isRevoked ? 'The invitation was revoked.' : NOT_OPEN
}
