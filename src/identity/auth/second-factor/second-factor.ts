import { z } from 'zod'
import { Timestamp } from '../../../base/values/shapes.ts'

const Otp = z
  .string()
  .max(64)
  .describe('Six digits of the authenticator app, or a recovery code.')
  .meta({ example: '492039' })

/** The second factor of a user, as the user sees it. */
export const SecondFactor = z
  .object({
    enabled: z.boolean().describe('Whether a code is asked for at the sign-in.'),
    enabledAt: Timestamp.nullable().describe('When it was turned on.'),
    recoveryCodesLeft: z
      .int()
      .describe('Recovery codes that were not used yet.')
      .meta({ example: 10 }),
    required: z.boolean().describe('Whether the marketplace asks it of you.'),
  })
  .meta({ id: 'SecondFactor', description: 'The second factor of the user of the token.' })
export type SecondFactor = z.infer<typeof SecondFactor>

/** The own password, given again. */
export const FactorPassword = z
  .strictObject({
    password: z
      .string()
      .describe('Your password, at most 1,024 bytes.')
      .meta({ example: 'correct horse battery staple' }),
  })
  .meta({ id: 'FactorPassword', description: 'The own password, given again.' })

/** What an authenticator app takes in. */
export const BegunFactor = z
  .object({
    secret: z
      .string()
      .describe('In base32, to be typed into an authenticator app.')
      .meta({ example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
    uri: z
      .string()
      .describe('The same for a QR code.')
      .meta({ example: 'otpauth://totp/App%20Marketplace:kim%40keyline.example?secret=JBSWY3DP' }),
  })
  .meta({ id: 'BegunFactor', description: 'A second factor that waits for its first code.' })
export type BegunFactor = z.infer<typeof BegunFactor>

export const FactorCode = z
  .strictObject({ otp: Otp })
  .meta({ id: 'FactorCode', description: 'A code of the second factor.' })

export const RecoveryCodes = z
  .object({
    recoveryCodes: z
      .array(z.string())
      .describe('Ten codes, each for one use. Only this response shows them.')
      .meta({ example: ['k7m2qd-x94tbw-hn3va'] }),
  })
  .meta({ id: 'RecoveryCodes', description: 'Codes that stand in for the authenticator app.' })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>
