import { onOff } from '../values/variable-shapes.ts'
import { AllowedHostsVariable } from './addresses/allowed-hosts.ts'
import { ProxyUrlVariable } from './addresses/proxy-url.ts'

/** The variables about webhooks. */
export const WEBHOOK_VARIABLES = {
  WEBHOOKS: {
    schema: onOff,
    default: 'on',
    meaning: 'Off: this replica sends no webhooks.',
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
