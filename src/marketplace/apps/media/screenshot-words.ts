import { z } from 'zod'
import { filledText, text } from '../../../base/values/text.ts'
import { canonicalLine } from '../../../base/values/text-forms/canonical.ts'
import { ALT_MAX_LENGTH, CAPTION_MAX_LENGTH } from './picture.ts'

/** What a developer says about a screenshot. */
export const ScreenshotWords = z.strictObject({
  alt: filledText('line', ALT_MAX_LENGTH)
    .overwrite(canonicalLine)
    .describe('What stands for the picture where it is not seen (1 to 200 characters).')
    .meta({ example: 'Two price lists side by side' }),
  caption: text('line', CAPTION_MAX_LENGTH)
    .overwrite(canonicalLine)
    .optional()
    .describe('Under the picture (up to 200 characters); left out: none.')
    .meta({ example: 'Prices before and after' }),
})

/** A change of it: what is left out stays. */
export const ScreenshotChange = ScreenshotWords.partial().meta({
  id: 'ScreenshotChange',
  description: 'What is left out stays as it is.',
})
