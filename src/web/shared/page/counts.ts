import { COUNTED_MAX } from '../../../base/values/page-of-list.ts'

/**
 * `0`, `12`, `10,000`, `more than 10,000`.
 *
 * @param max how far was counted
 */
export function countText(count: number, max = COUNTED_MAX): string {
  return count < max ? count.toLocaleString('en') : `more than ${(max - 1).toLocaleString('en')}`
}

/** `0 installations`, `1 installation`, `12 installations`, `more than 10,000 installations`. */
export function installationCount(count: number, max = COUNTED_MAX): string {
  return `${countText(count, max)} installation${count === 1 ? '' : 's'}`
}
