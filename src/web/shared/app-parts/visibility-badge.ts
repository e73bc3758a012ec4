import type { Visibility } from '../../../marketplace/apps/visibility/visibility.ts'
import { stateBadge } from '../../kit/badge.ts'
import type { Html } from '../page/html.ts'

/** How users read the visibility of an app. */
export const VISIBILITY_WORDS: Readonly<Record<Visibility, string>> = {
  draft: 'Draft',
  private: 'Private',
  unlisted: 'Unlisted',
  listed: 'Listed',
}

/** Who finds an app, in a word. */
export function visibilityBadge(visibility: Visibility): Html {
  return stateBadge(visibility === 'listed' ? 'on' : 'idle', VISIBILITY_WORDS[visibility])
}
