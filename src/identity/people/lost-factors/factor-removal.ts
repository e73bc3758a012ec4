import { z } from 'zod'
import { displayProblem } from '../../../base/values/text.ts'

const REASON_MAX_LENGTH = 500

/** Why a second factor is taken off. */
export const FactorRemoval = z.strictObject({
  reason: z
    .string()
    .trim()
    .min(1)
    .max(REASON_MAX_LENGTH)
    .refine((text) => displayProblem(text, 'line') === null, 'must be a single line')
    .optional()
    .describe(`For the audit trail: 1 to ${REASON_MAX_LENGTH} characters.`)
    .meta({ example: 'Lost the phone; identified by video call' }),
})
export type FactorRemoval = z.input<typeof FactorRemoval>
