import { z } from 'zod'

const FactorGroup = z.enum(['operators', 'developers', 'admins'])
export type FactorGroup = z.infer<typeof FactorGroup>

/** A variable that names those who must have a second factor, separated by commas. */
export const FactorGroupsVariable = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .pipe(
    z.array(
      z.enum(FactorGroup.options, 'must be operators, developers and admins, separated by commas'),
    ),
  )
