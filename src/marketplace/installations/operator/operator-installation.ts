import { z } from 'zod'
import { Timestamp } from '../../../base/values/shapes.ts'
import { Installation } from '../installation.ts'

/**
 * An installation as the operator sees it, without settings, which concern the account and the
 * developer.
 */
export const OperatorInstallation = Installation.omit({ userSettings: true, adminSettings: true })
  .extend({
    developerId: z.uuid().describe('Whose app it is.'),
    developerName: z.string().meta({ example: 'Northwind Tools' }),
    suspendedAt: Timestamp.nullable().describe('Since when, or null.').meta({ example: null }),
    suspendedBy: z
      .enum(['developer', 'operator'])
      .nullable()
      .describe('What the operator suspended, only the operator resumes.')
      .meta({ example: null }),
    suspendedReason: z.string().nullable().describe('Why, or null.').meta({ example: null }),
    uninstalledAt: Timestamp.nullable().describe('When it ended, or null.').meta({ example: null }),
    reinstallBarred: z
      .boolean()
      .describe(
        'Whether it was uninstalled under an operator’s suspension, so that its account ' +
          'cannot install the app again until an operator resumes this installation.',
      )
      .meta({ example: false }),
  })
  .meta({
    id: 'OperatorInstallation',
    description: 'An installation as operators see it, without its settings.',
  })
export type OperatorInstallation = z.infer<typeof OperatorInstallation>
