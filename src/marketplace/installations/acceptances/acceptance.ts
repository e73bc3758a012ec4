import { z } from 'zod'
import { Timestamp } from '../../../base/values/shapes.ts'
import { ACTOR_KINDS } from '../../../identity/audit/audit-record.ts'

/** A text of terms that is longer is answered as a file only. */
export const TERMS_TEXT_MAX_BYTES = 1024 * 1024

const ACCEPTANCE_KINDS = ['acknowledgement', 'terms', 'permission'] as const

/** What was accepted for an installation, in the words that it had then. */
export const Acceptance = z
  .object({
    kind: z
      .enum(ACCEPTANCE_KINDS)
      .describe('`permission`: what the app may do, and what it says it is for.')
      .meta({ example: 'acknowledgement' }),
    id: z
      .string()
      .nullable()
      .describe('Id of the acknowledgement or of the permission; null for the terms.')
      .meta({ example: 'overwrites-prices' }),
    title: z
      .string()
      .nullable()
      .describe('Of the acknowledgement or of the permission; null for the terms.')
      .meta({ example: 'Overwrites prices' }),
    text: z
      .string()
      .nullable()
      .describe(
        'What was accepted. Null for terms that are a PDF or longer than 1 MiB, which ' +
          '`.../Acceptances/{sha256}/TermsDocument` has, and for words of releases that kept ' +
          'the hash alone, where no version of the app has them any more.',
      )
      .meta({ example: 'Price Sync changes prices in your ERP.' }),
    mediaType: z
      .string()
      .nullable()
      .describe('Of the terms document; else null.')
      .meta({ example: null }),
    sha256: z
      .string()
      .describe('Hash of the terms document, or of the JSON array of title and text, in hex.')
      .meta({ example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' }),
    version: z
      .string()
      .describe('Version of the app that asked for it.')
      .meta({ example: '1.4.0' }),
    acceptedAt: Timestamp.describe('When it was accepted.'),
    acceptedBy: z
      .object({
        kind: z.enum(ACTOR_KINDS).describe('A developer accepts in its sandbox only.'),
        id: z
          .string()
          .nullable()
          .describe(
            'A user by id, a developer by client id. Null for the people of an account, when its ' +
              "app's developer asks.",
          ),
        name: z.string().nullable().describe('Name of the user or the developer, likewise.'),
      })
      .describe('Who accepted it.')
      .meta({
        example: {
          kind: 'user',
          id: '5b1c0a5e-6d2f-4c86-9a0e-3f1f9f2f7c11',
          name: 'Kim Keyline',
        },
      }),
  })
  .meta({
    id: 'Acceptance',
    description: 'What was accepted for an installation, in the words that it had then.',
  })
export type Acceptance = z.infer<typeof Acceptance>

/** The hash in the address of a terms document. */
export const sha256InPath = z
  .string()
  .regex(/^[0-9a-f]{64}$/i)
  .toLowerCase()
  .describe('Hash of the terms document, in hex.')
  .meta({
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    parameter: 'TermsSha256',
  })

/** The installation in an address; operators' have it as `id`. */
export function installationIn(params: { installationId: string } | { id: string }): string {
  return 'id' in params ? params.id : params.installationId
}
