import { fileColumn, type ListColumn } from '../../kit/columns.ts'
import { STATUSES } from './status-badge.ts'

type Member = {
  userId: string
  name: string
  email: string
  role: 'admin' | 'member' | 'owner'
  suspended: boolean
  joinedAt: Date
}

const ROLE_NAMES = { admin: 'Admin', member: 'Member', owner: 'Owner' } as const

/** The columns of the file of members, of an account or of a developer. */
export const MEMBER_COLUMNS: readonly ListColumn<Member>[] = [
  fileColumn('Name', ({ name }) => name),
  fileColumn('Email', ({ email }) => email),
  fileColumn('Role', ({ role }) => ROLE_NAMES[role]),
  fileColumn('State', ({ suspended }) => STATUSES[suspended ? 'suspended' : 'active'].text),
  fileColumn('Joined', ({ joinedAt }) => joinedAt),
  fileColumn('User ID', ({ userId }) => userId),
]
