import { UuidText } from '../../../base/values/shapes.ts'
import type { Chosen } from '../../kit/list-page.ts'
import type { FilterReader } from './filter-reading.ts'

/** Takes a filter from an address, if it is in it. */
export type Choose = (reader: FilterReader) => Chosen | Promise<Chosen>

/** The filters of an address; what cannot be read is a problem of the reader. */
export async function readChosen(
  reader: FilterReader,
  choose: readonly Choose[],
): Promise<Record<string, string>> {
  const chosen = {}
  for (const part of choose) Object.assign(chosen, await part(reader))
  return chosen
}

/** A filter by its name; none without a value. */
export function chosenAs(name: string, value: string | undefined): Chosen {
  return value === undefined ? {} : { [name]: value }
}

/** A text of the query. */
export const textParam =
  (name: string): Choose =>
  (reader) =>
    chosenAs(name, reader.text(name))

/** One of several values. */
export const oneOfParam =
  (name: string, values: readonly string[], none?: string): Choose =>
  (reader) =>
    chosenAs(name, reader.oneOf(name, values, none))

/** @param words what it must be when it does not fit, such as "a date" */
export const fittingParam =
  (name: string, fits: (text: string) => boolean, words: string): Choose =>
  (reader) =>
    chosenAs(name, reader.fitting(name, fits, words))

/** An id that is a UUID. */
export const uuidParam = (name: string, words = 'an ID') =>
  fittingParam(name, (value) => UuidText.safeParse(value).success, words)
