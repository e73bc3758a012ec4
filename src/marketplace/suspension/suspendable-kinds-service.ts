import type { Actor } from '../../base/values/actor.ts'
import {
  AnyInstallationPath,
  AppIdPath,
  DeveloperPath,
  PartyPath,
  UserPath,
} from '../../base/values/operator-paths.ts'
import type { Deps } from '../../deps.ts'
import type { ErrorCode } from '../../errors.ts'
import type { SuspensionRequest } from '../../identity/accounts/operator-requests.ts'
import {
  resumeAsOperator,
  suspendAsOperator,
} from '../installations/operator/operator-installations-service.ts'
import { resume, type SuspendableKind, suspend } from './suspend-and-resume-service.ts'

/** The codes that a suspension and its end answer beside those of every operation. */
type Refusals = Record<'suspend' | 'resume', readonly ErrorCode[]>

const CLOSED: Refusals = { suspend: ['conflict'], resume: ['conflict'] }

/** Everything that an operator can stop: its name, what its suspension does and answers, and how. */
export const SUSPENDABLE = [
  {
    kind: 'Developer',
    collection: 'Developers',
    remark: ' A closed one gets `conflict`.',
    params: DeveloperPath,
    effect:
      'Its programs can no longer sign in and its console is closed; its tokens and those of all ' +
      'installations of its apps are refused; its apps leave the catalogue.',
    refusals: CLOSED,
    ...serviceOf('developer'),
  },
  {
    kind: 'App',
    collection: 'Apps',
    remark: '',
    params: AppIdPath,
    effect:
      'Hidden from the catalogue. Nobody can install or open it, and the tokens of its installations are refused.',
    refusals: { suspend: [], resume: [] } as Refusals,
    ...serviceOf('app'),
  },
  {
    kind: 'Party',
    collection: 'Parties',
    remark: ' A closed one gets `conflict`.',
    params: PartyPath,
    effect: 'The tokens of its installations are refused, and it opens no app.',
    refusals: CLOSED,
    ...serviceOf('party'),
  },
  {
    kind: 'User',
    collection: 'Users',
    params: UserPath,
    effect: 'The user can no longer sign in; its sessions and tokens are refused.',
    remark:
      ' You cannot suspend yourself (`conflict`), nor the last operator who can sign in (`operator_needed`).',
    refusals: { suspend: ['conflict', 'operator_needed'], resume: [] } as Refusals,
    ...serviceOf('user'),
  },
  {
    kind: 'Installation',
    collection: 'Installations',
    params: AnyInstallationPath,
    effect:
      'Its tokens are refused and no new ones are made. It replaces a suspension by the ' +
      'developer, and only the operator can resume it. If the installation is uninstalled, ' +
      'its account can install the app again only when the operator resumes it.',
    remark: ' Suspending an uninstalled installation gets `conflict`.',
    refusals: { suspend: ['conflict'], resume: ['conflict'] } as Refusals,
    suspend: suspendAsOperator,
    resume: resumeAsOperator,
  },
] as const

/** What the suspension of a kind of thing does, in words. */
export function effectOf(collection: (typeof SUSPENDABLE)[number]['collection']): string {
  return SUSPENDABLE.find((one) => one.collection === collection)?.effect ?? ''
}

function serviceOf(kind: SuspendableKind) {
  return {
    suspend: (deps: Deps, id: string, input: SuspensionRequest, actor: Actor) =>
      suspend(deps, kind, id, input, actor),
    resume: (deps: Deps, id: string, actor: Actor) => resume(deps, kind, id, actor),
  }
}
