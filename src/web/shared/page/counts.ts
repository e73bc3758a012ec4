import { COUNTED_MAX } from '../../../values/page-of-list.ts'

/** `0`, `12`, `10,000`, `more than 10,000`. */
export function countText(count: number): string {
  return count < COUNTED_MAX
    ? count.toLocaleString('en')
    : `more than ${(COUNTED_MAX - 1).toLocaleString('en')}`
}

/** `no installations`, `1 installation`, `12 installations`, `more than 10,000 installations`. */
export function installationCount(count: number): string {
  if (count === 0) return 'no installations'
  return `${countText(count)} installation${count === 1 ? '' : 's'}`
}
