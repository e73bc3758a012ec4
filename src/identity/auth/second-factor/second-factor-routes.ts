import { z } from 'zod'
import type { App } from '../../../http/app-type.ts'
import { SIGN_IN_LIMIT_BYTES } from '../../../http/bodies/json-body.ts'
import { clientAddress } from '../../../http/client-address.ts'
import { userActor } from '../../guards/actor.ts'
import { userOf } from '../../guards/audience.ts'
import {
  BegunFactor,
  FactorCode,
  FactorPassword,
  RecoveryCodes,
  SecondFactor,
} from './second-factor.ts'
import {
  beginEnrolment,
  confirmEnrolment,
  readSecondFactor,
  removeOwnFactor,
  renewRecoveryCodes,
} from './second-factor-service.ts'

const PATH = '/v1/Account/SecondFactor'
const tags = ['Accounts']

/** A user's own second factor. */
export async function secondFactorRoutes(app: App) {
  app.get(
    PATH,
    {
      config: { beforeEnrolment: true },
      schema: {
        operationId: 'readSecondFactor',
        tags,
        summary: 'Get the state of two-step sign-in',
        description: 'Whether a code is asked for when the user of the token signs in.',
        response: { 200: SecondFactor },
      },
    },
    (request) => readSecondFactor(app.deps, userOf(request).userId),
  )

  app.post(
    PATH,
    {
      bodyLimit: SIGN_IN_LIMIT_BYTES,
      config: { beforeEnrolment: true },
      schema: {
        operationId: 'createSecondFactor',
        tags,
        summary: 'Begin to enable two-step sign-in',
        description:
          'Makes a secret for an authenticator app (TOTP, RFC 6238: SHA-1, six digits, 30 ' +
          'seconds). It needs the password again; a wrong one is 422 with the pointer ' +
          '`/password`. No code is asked for until `POST /v1/Account/SecondFactor/Confirm`, which ' +
          'has to follow within 15 minutes. Users without passwords begin on the page Account > ' +
          'Security, after a fresh sign-in.',
        body: FactorPassword,
        response: { 200: BegunFactor },
        problems: ['unprocessable', 'already_exists', 'password_login_off'],
      },
    },
    (request, reply) => {
      reply.header('cache-control', 'no-store')
      return beginEnrolment(app.deps, userOf(request).userId, request.body, clientAddress(request))
    },
  )

  app.post(
    `${PATH}/Confirm`,
    {
      bodyLimit: SIGN_IN_LIMIT_BYTES,
      config: { beforeEnrolment: true },
      schema: {
        operationId: 'confirmSecondFactor',
        tags,
        summary: 'Enable two-step sign-in',
        description:
          'Takes a first code of the authenticator app. From now on a code is asked for at ' +
          'each sign-in. The browsers in which the user is signed in are signed out, and the ' +
          'tokens of the user end, the one of this request too: sign in again with a code.',
        body: FactorCode,
        response: { 200: RecoveryCodes },
        problems: ['invalid_credentials', 'already_exists', 'conflict'],
      },
    },
    (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { userId, actor } = userActor(request)
      return confirmEnrolment(app.deps, userId, request.body.otp, actor)
    },
  )

  app.post(
    `${PATH}/RecoveryCodes`,
    {
      bodyLimit: SIGN_IN_LIMIT_BYTES,
      schema: {
        operationId: 'createRecoveryCodes',
        tags,
        summary: 'Make new recovery codes',
        description: 'The recovery codes before are refused from now on. It needs a code.',
        body: FactorCode,
        response: { 200: RecoveryCodes },
        problems: ['invalid_credentials', 'conflict'],
      },
    },
    (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { userId, actor } = userActor(request)
      return renewRecoveryCodes(app.deps, userId, request.body.otp, actor)
    },
  )

  app.post(
    `${PATH}/Remove`,
    {
      bodyLimit: SIGN_IN_LIMIT_BYTES,
      schema: {
        operationId: 'deleteSecondFactor',
        tags,
        summary: 'Disable two-step sign-in',
        description:
          'It needs a code, or a recovery code. The tokens of the user end, the one of this ' +
          'request too. A user who has lost both asks an operator ' +
          '(`DELETE /v1/Operator/Users/{id}/SecondFactor`).',
        body: FactorCode,
        response: { 204: z.null() },
        problems: ['invalid_credentials', 'conflict'],
      },
    },
    async (request, reply) => {
      const { userId, actor } = userActor(request)
      await removeOwnFactor(app.deps, userId, request.body.otp, actor)
      return reply.code(204).send(null)
    },
  )
}
