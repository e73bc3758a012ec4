import { z } from 'zod'

/** What a user may do for a party. */
export const PartyRole = z
  .enum(['member', 'admin'])
  .describe(
    'A `member` sees the installed apps and opens them. An `admin` also installs, configures, ' +
      'upgrades and uninstalls them, and manages the members.',
  )
  .meta({ id: 'PartyRole', examples: ['admin'] })
export type PartyRole = z.infer<typeof PartyRole>

/** What a person may do for a developer. */
export const DeveloperRole = z
  .enum(['member', 'owner'])
  .describe(
    'A `member` works with the apps and installations of the developer. An `owner` also manages ' +
      'its people and credentials.',
  )
  .meta({ id: 'DeveloperRole', examples: ['owner'] })
export type DeveloperRole = z.infer<typeof DeveloperRole>
