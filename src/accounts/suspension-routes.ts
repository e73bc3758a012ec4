import type { Actor } from '../audit/audit-service.ts'
import type { Deps } from '../deps.ts'
import { operatorActor } from '../http/actor.ts'
import type { App } from '../http/app-type.ts'
import { problems } from '../http/problem.ts'
import { resumeAsOperator, suspendAsOperator } from '../installations/operator-service.ts'
import {
  AppIdPath,
  DeveloperPath,
  InstallationPath,
  PartyPath,
  UserPath,
} from './operator-paths.ts'
import { Suspension } from './operator-records.ts'
import { SuspensionRequest } from './operator-requests.ts'
import { resume, type SuspendableKind, suspend } from './suspension-service.ts'

const SUSPENDABLE = [
  {
    kind: 'Developer',
    collection: 'Developers',
    params: DeveloperPath,
    effect:
      'It can no longer sign in; its tokens and those of all installations of its apps are refused; its apps leave the catalogue.',
    ...serviceOf('developer'),
  },
  {
    kind: 'App',
    collection: 'Apps',
    params: AppIdPath,
    effect:
      'It leaves the catalogue, nobody can install or open it, and the tokens of its installations are refused.',
    ...serviceOf('app'),
  },
  {
    kind: 'Party',
    collection: 'Parties',
    params: PartyPath,
    effect: 'The tokens of its installations are refused.',
    ...serviceOf('party'),
  },
  {
    kind: 'User',
    collection: 'Users',
    params: UserPath,
    effect:
      'The user can no longer sign in; its sessions and tokens are refused. You cannot suspend yourself (`conflict`).',
    ...serviceOf('user'),
  },
  {
    kind: 'Installation',
    collection: 'Installations',
    params: InstallationPath,
    effect:
      "Its tokens are refused and no new ones are made. A developer's suspension gives way to it, and only the operator resumes it. An uninstalled one is answered with `conflict`.",
    suspend: suspendAsOperator,
    resume: resumeAsOperator,
  },
] as const

function serviceOf(kind: SuspendableKind) {
  return {
    suspend: (deps: Deps, id: string, input: SuspensionRequest, actor: Actor) =>
      suspend(deps, kind, id, input, actor),
    resume: (deps: Deps, id: string, actor: Actor) => resume(deps, kind, id, actor),
  }
}

/** Suspend and resume of everything that an operator can stop. */
export async function suspensionRoutes(app: App) {
  for (const { kind, collection, params, effect, ...service } of SUSPENDABLE) {
    const noun = kind.toLowerCase()
    const an = /^[aeio]/.test(noun) ? 'an' : 'a'
    app.post(
      `/v1/Operator/${collection}/:id/Suspend`,
      {
        schema: {
          operationId: `suspend${kind}AsOperator`,
          tags: ['Operator'],
          summary: `Suspend ${an} ${noun}`,
          description: `${effect} All of it from the next request on. Doing it twice is doing it once; another reason replaces the first.`,
          params,
          body: SuspensionRequest,
          response: { 200: Suspension, ...problems(401, 403, 404, 409, 413, 415, 422) },
        },
      },
      (request) =>
        service.suspend(app.deps, request.params.id, request.body, operatorActor(request)),
    )
    app.post(
      `/v1/Operator/${collection}/:id/Resume`,
      {
        schema: {
          operationId: `resume${kind}AsOperator`,
          tags: ['Operator'],
          summary: `Resume ${an} ${noun}`,
          description:
            'Everything works again from the next request on, tokens that have not run out included. Doing it twice is doing it once.',
          params,
          response: { 200: Suspension, ...problems(401, 403, 404, 409) },
        },
      },
      (request) => service.resume(app.deps, request.params.id, operatorActor(request)),
    )
  }
}
