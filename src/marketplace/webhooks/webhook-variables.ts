import { integer, onOff } from '../../base/values/variable-shapes.ts'
import {
  type AllowedHosts,
  AllowedHostsVariable,
  isAllowedHost,
  LOOPBACK_HOSTS,
} from './addresses/allowed-hosts.ts'
import { ProxyUrlVariable } from './addresses/proxy-url.ts'
import { DELAYS_SECONDS, RetryDelaysVariable } from './attempts/retry-schedule.ts'

/** The variables about webhooks. */
export const WEBHOOK_VARIABLES = {
  WEBHOOKS: {
    schema: onOff,
    default: 'on',
    meaning: 'Off: this replica sends no webhooks.',
  },
  WEBHOOK_RETRY_SECONDS: {
    schema: RetryDelaysVariable,
    default: DELAYS_SECONDS.join(','),
    meaning:
      'Waits before a webhook that failed is sent again, comma-separated, each up to a tenth ' +
      'longer by chance. After the last one the delivery has failed.',
  },
  WEBHOOK_TIMEOUT_SECONDS: {
    schema: integer(1, 60),
    default: '20',
    meaning: 'Time that a receiver has to connect and answer; to connect at most 10 of it.',
  },
  WEBHOOK_ALLOWED_PRIVATE_HOSTS: {
    schema: AllowedHostsVariable,
    default: undefined,
    meaning:
      'Receivers of webhooks that may be in a private network and use http: `host:port`, ' +
      'comma-separated, IPv6 in brackets. Default: none; a demo on the embedded database whose ' +
      '`PUBLIC_URL` is this machine allows every port of it.',
  },
  WEBHOOK_PROXY_URL: {
    schema: ProxyUrlVariable,
    default: undefined,
    secret: true,
    meaning:
      'Forward proxy that all webhooks go through (CONNECT): `http://host:port` or ' +
      '`http://user:password@host:port`.',
  },
} as const

/**
 * Receivers in private networks that webhooks may go to: those that the operator names. When nothing
 * is named, a demo that only its own machine reaches may send to receivers there.
 */
export function allowedReceivers({
  named,
  demo,
  databaseUrl,
  publicUrl,
}: {
  named: AllowedHosts | undefined
  demo: boolean
  databaseUrl: string | undefined
  publicUrl: string
}): AllowedHosts {
  if (named !== undefined) return named
  const isOwnMachine = isAllowedHost(new URL(publicUrl), LOOPBACK_HOSTS)
  return demo && databaseUrl === undefined && isOwnMachine ? LOOPBACK_HOSTS : new Set()
}
