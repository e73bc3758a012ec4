import type { Socket } from 'node:net'
import jwt, { type TokenOrHeader } from '@fastify/jwt'
import type { FastifyRequest } from 'fastify'
import type { VerifiedToken } from '../../base/values/token-claims.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { stateOf } from '../../http/observability/request-state.ts'
import { kidOfToken } from '../tokens/jws.ts'
import {
  claimsOf,
  createVerifiedTokens,
  requireInForce,
  tokenId,
  type VerifiedTokens,
} from '../tokens/verify.ts'

declare module 'fastify' {
  interface FastifyInstance {
    verifiedTokens: VerifiedTokens
  }
}

/**
 * Registers @fastify/jwt: `request.jwtVerify()` verifies the signature of the bearer token with the
 * public key that its `kid` names. Times and claims are ours to check, because the application has
 * a clock of its own. So is whether the principal still lives: the plugin's `trusted` option is not
 * used.
 */
export async function verifyBearerTokens(app: App): Promise<void> {
  app.decorate('verifiedTokens', createVerifiedTokens())
  await app.register(jwt, {
    secret: { public: publicKeyOf },
    decode: { complete: true },
    decoratorName: 'tokenClaims',
    verify: {
      algorithms: ['ES256'],
      ignoreExpiration: true,
      ignoreNotBefore: true,
      extractToken: tokenOfOurForm,
    },
  })
}

/** The plugin waits for a promise or a callback, and takes no plain value. */
async function publicKeyOf(request: FastifyRequest, token: TokenOrHeader): Promise<string> {
  const { kid } = 'header' in token ? token.header : token
  const publicKey = await request.server.deps.keys.publicKeyOf(kid ?? '')
  if (publicKey === undefined) throw new AppError('invalid_token')
  return publicKey
}

function tokenOfOurForm(request: FastifyRequest): string {
  const { token } = bearerOf(request)
  if (kidOfToken(token) === undefined) throw new AppError('invalid_token')
  return token
}

/**
 * The bearer token of a request, checked for all but the life of its principal.
 *
 * @returns while the token is remembered, the same object each time, and no promise
 * @throws AppError missing_token; token_expired when the token was ours and ran out; invalid_token
 */
export function verifiedTokenOf(request: FastifyRequest): VerifiedToken | Promise<VerifiedToken> {
  const { verifiedTokens, deps } = request.server
  const { id } = bearerOf(request)
  const known = verifiedTokens.get(id)
  if (known !== undefined && deps.keys.knownPublicKey(known.kid) === known.publicKey) {
    return inForce(request, id, known)
  }
  return verify(request).then((verified) => {
    verifiedTokens.set(id, verified)
    return inForce(request, id, verified)
  })
}

function inForce(request: FastifyRequest, id: string, token: VerifiedToken): VerifiedToken {
  const { server } = request
  const { config, now } = server.deps
  const at = now()
  stateOf(request).tokenCheckedAtMs = at.getTime()
  try {
    requireInForce(token.claims, { issuer: config.publicUrl, now: () => at })
  } catch (error) {
    server.verifiedTokens.delete(id)
    stateOf(request).deadToken = token
    throw error
  }
  return token
}

async function verify(request: FastifyRequest): Promise<VerifiedToken> {
  const { token } = bearerOf(request)
  const kid = kidOfToken(token) ?? ''
  const claims: unknown = await request.jwtVerify().catch((error: unknown) => {
    throw isRefusal(error) ? new AppError('invalid_token', { cause: error }) : error
  })
  const publicKey = request.server.deps.keys.knownPublicKey(kid)
  // The key has just left the ring.
  if (publicKey === undefined) throw new AppError('invalid_token')
  return { claims: claimsOf(token, claims), kid, publicKey }
}

/** A refusal of the plugin (FST_JWT_) or of its engine (FAST_JWT_). */
function isRefusal(error: unknown): boolean {
  return /^(FST|FAST)_JWT_/.test(String((error as { code?: unknown } | undefined)?.code))
}

type Bearer = { header: string; token: string; id: string }

/**
 * The header that each connection sent last: most connections send the same one again and again.
 */
const lastBearers = new WeakMap<Socket, Bearer>()

/**
 * RFC 6750, 2.1: only the header, spaces and then the token; a token in the query or the body is
 * not looked for.
 */
function bearerOf({ headers, socket }: FastifyRequest): Bearer {
  const header = headers.authorization
  const last = lastBearers.get(socket)
  if (last !== undefined && last.header === header) return last
  if (header === undefined || !/^bearer(\s|$)/i.test(header)) throw new AppError('missing_token')
  const token = header.slice('bearer'.length).replace(/^ +/, '')
  const sent = { header, token, id: tokenId(token) }
  lastBearers.set(socket, sent)
  return sent
}
