import { z } from 'zod'

/** Path of everything that belongs to an app. */
export const AppPath = z.object({
  // Paths are matched without regard to case, and ids of apps have no capitals.
  appId: z
    .string()
    .max(64)
    .toLowerCase()
    .describe('Id of the app.')
    .meta({ example: 'price-sync', parameter: 'AppId' }),
})

/** The id of an app as a filter, in a query. */
export const appIdFilter = z
  .string()
  .max(64)
  .optional()
  .describe('Only of this app.')
  .meta({ example: 'price-sync', parameter: 'AppIdFilter' })
