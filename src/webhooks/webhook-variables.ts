import { integer, onOff } from '../values/variable-shapes.ts'
import { AllowedHostsVariable } from './addresses/allowed-hosts.ts'
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
    default: '',
    meaning:
      'Receivers of webhooks that may be in a private network and use http: `host:port`, ' +
      'comma-separated, IPv6 in brackets.',
  },
  WEBHOOK_PROXY_URL: {
    schema: ProxyUrlVariable,
    default: undefined,
    meaning:
      'Forward proxy that all webhooks go through (CONNECT): `http://host:port` or ' +
      '`http://user:password@host:port`.',
  },
} as const
