import { z } from 'zod'
import { ATTEMPT_REASONS, type AttemptReason, type AttemptReasonCode } from './attempt-reasons.ts'

const CODES = Object.keys(ATTEMPT_REASONS) as [AttemptReasonCode, ...AttemptReasonCode[]]

/** Why an attempt did not succeed. */
export const FailureReason = z
  .object({
    code: z.enum(CODES).meta({ example: 'status' }),
    detail: z.string().meta({ example: ATTEMPT_REASONS.status }),
  })
  .meta({ id: 'WebhookFailureReason', description: 'Why an attempt failed.' })

/** The reason of a stored code. A text that is not a code is shown as it is. */
export function failureReasonOf(stored: string | null): AttemptReason | null {
  if (stored === null) return null
  return Object.hasOwn(ATTEMPT_REASONS, stored)
    ? { code: stored as AttemptReasonCode, detail: ATTEMPT_REASONS[stored as AttemptReasonCode] }
    : { code: 'not_sent', detail: stored }
}
