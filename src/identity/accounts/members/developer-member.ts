import { z } from 'zod'
import { DeveloperPath } from '../../../base/values/operator-paths.ts'
import { Timestamp, UuidText } from '../../../base/values/shapes.ts'
import { DeveloperRole } from './roles.ts'

const UserId = UuidText.meta({ example: '5b1c0a5e-6d2f-4c86-9a0e-3f1f9f2f7c11' })

/** A person who works for a developer. */
export const DeveloperMember = z
  .object({
    userId: z.uuid().meta({ example: '5b1c0a5e-6d2f-4c86-9a0e-3f1f9f2f7c11' }),
    name: z.string().meta({ example: 'Noor Northwind' }),
    email: z.string().meta({ example: 'noor@northwind.example' }),
    role: DeveloperRole,
    suspended: z
      .boolean()
      .describe('Whether the operator keeps the person from signing in.')
      .meta({ example: false }),
    joinedAt: Timestamp.describe('Since when the person works for the developer.'),
  })
  .meta({ id: 'DeveloperMember', description: 'A person who works for a developer.' })
export type DeveloperMember = z.infer<typeof DeveloperMember>

/** Another role for a person of a developer. */
export const DeveloperMemberChange = z
  .strictObject({ role: DeveloperRole })
  .meta({ id: 'DeveloperMemberChange', description: 'The role that a person is to have.' })
export type DeveloperMemberChange = z.infer<typeof DeveloperMemberChange>

/** A user who is to work for a developer. */
export const DeveloperMemberRequest = z
  .strictObject({ userId: UserId.describe('Id of the user.'), role: DeveloperRole })
  .meta({ id: 'DeveloperMemberRequest', description: 'A user who is to work for a developer.' })
export type DeveloperMemberRequest = z.infer<typeof DeveloperMemberRequest>

/** The path of a person of one's own developer. */
export const OwnDeveloperMemberPath = z.object({
  userId: UserId.describe('Id of the person.').meta({ parameter: 'PersonId' }),
})

/** The path of a person of a developer, for operators. */
export const DeveloperMemberPath = DeveloperPath.extend(OwnDeveloperMemberPath.shape)
