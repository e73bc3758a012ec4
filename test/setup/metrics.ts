import { expect } from 'vitest'

/** The series of an answer of `/metrics`: name with labels as they are written -> value. */
export type Series = ReadonlyMap<string, number>

/** Reads the text format of Prometheus 0.0.4; fails on a line that is not of it, and on a double. */
export function readMetrics(text: string): Series {
  const series = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (line === '' || /^# (HELP|TYPE) [a-z_:][a-z0-9_:]* \S/.test(line)) continue
    const [, name = '', value = ''] = /^([a-z_:][\w:]*(?:\{.*\})?) (\S+)$/.exec(line) ?? []
    expect(name, line).not.toBe('')
    expect(series.has(name), line).toBe(false)
    series.set(name, value === 'Nan' ? Number.NaN : Number(value))
  }
  return series
}

/** The names of all metrics, without labels. */
export function namesOf(series: Series): Set<string> {
  return new Set([...series.keys()].map((name) => name.replace(/\{.*/, '')))
}
