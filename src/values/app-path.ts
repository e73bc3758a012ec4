import { z } from 'zod'

/** Path of everything that belongs to an app. */
export const AppPath = z.object({
  // Paths are matched without regard to case, and ids of apps have no capitals.
  appId: z
    .string()
    .max(64)
    .toLowerCase()
    .describe('Id of the app.')
    .meta({ example: 'price-sync' }),
})
