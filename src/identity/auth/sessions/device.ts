import { isIPv4 } from 'node:net'
import { networkOf } from '../../../base/values/client-network.ts'

/** What a user recognises a browser by. */
export type Device = { browser: string; network: string }

/** A part of the header -> the name of a browser. Those that pretend to be others come first. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|HeadlessChrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]
/** Enough of any real header. */
const HEADER_MAX_LENGTH = 512

/**
 * A browser and its system in plain words, and the first part of its address: no more is kept.
 *
 * @param userAgent the header `user-agent`; it may say anything
 */
export function deviceOf(userAgent: string | undefined, address: string): Device {
  const text = (userAgent ?? '').slice(0, HEADER_MAX_LENGTH)
  const browser = nameIn(BROWSERS, text) ?? 'Unknown browser'
  const system = nameIn(SYSTEMS, text)
  return {
    browser: system === undefined ? browser : `${browser} on ${system}`,
    network: shortNetwork(address),
  }
}

function nameIn(names: readonly (readonly [RegExp, string])[], text: string): string | undefined {
  return names.find(([pattern]) => pattern.test(text))?.[1]
}

/** The /24 of an IPv4 address, the /48 of an IPv6 address; empty when it is neither. */
function shortNetwork(address: string): string {
  const network = networkOf(address)
  if (isIPv4(network)) return `${network.split('.').slice(0, 3).join('.')}.0/24`
  if (!network.includes(':')) return ''
  return `${network.split(':').slice(0, 3).join(':')}::/48`
}
