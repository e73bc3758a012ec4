import type { Deps } from '../../../deps.ts'
import { ignoring } from '../../../errors.ts'
import type { TermsDocument } from '../../../marketplace/apps/app-record.ts'
import { findTerms } from '../../../marketplace/apps/terms/read-terms-service.ts'
import { isText } from '../../../marketplace/apps/terms/terms.ts'
import type { TermsText } from './terms-text.ts'

/** Longer terms are a download only: so much is laid out in some milliseconds. */
const SHOWN_MAX_BYTES = 131_072

/**
 * The text of terms that the visitor may read; undefined without terms, of a PDF, of a very long
 * text, and when others have taken their place.
 */
export async function readTermsText(
  deps: Pick<Deps, 'db' | 'pool'>,
  appId: string,
  terms: TermsDocument | null,
): Promise<TermsText | undefined> {
  if (terms === null || !isText(terms.mediaType) || terms.size > SHOWN_MAX_BYTES) return undefined
  const { sha256 } = terms
  const found = await ignoring('not_found', findTerms(deps, { appId, sha256 }))
  if (found === undefined) return undefined
  const content = await ignoring('unavailable', found.read())
  return content && { mediaType: found.mediaType, text: content.toString('utf8') }
}
