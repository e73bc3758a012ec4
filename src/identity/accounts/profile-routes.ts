import type { App } from '../../http/app-type.ts'
import { installationPrincipalOf } from '../guards/audience.ts'
import { Profile } from './profile.ts'
import { readProfile } from './profile-service.ts'

/** `GET /v1/User/Profile`; with the `/api` prefix also the specification's `/api/v1/user/profile`. */
export async function profileRoutes(app: App) {
  app.get(
    '/v1/User/Profile',
    {
      config: { permission: 'profile:read' },
      schema: {
        operationId: 'readProfile',
        tags: ['Accounts'],
        summary: "Get the token's account",
        description:
          'Needs `profile:read`. Also at `/api/v1/user/profile`. `user` is there only for tokens that came from the redirect.',
        response: { 200: Profile },
      },
    },
    (request) => readProfile(app.deps, installationPrincipalOf(request)),
  )
}
