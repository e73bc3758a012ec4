/** Apps to narrow a list to. */
export type AppChoices = {
  apps: readonly { id: string; name: string }[]
  /** Whether there are more. */
  isCut: boolean
}

/** The options of a filter by app. */
export function appOptions({
  apps,
  isCut,
}: AppChoices): (readonly [value: string, text: string])[] {
  return [
    ['', isCut ? `All apps (the first ${apps.length} are listed)` : 'All apps'],
    ...apps.map(({ id, name }) => [id, name] as const),
  ]
}
