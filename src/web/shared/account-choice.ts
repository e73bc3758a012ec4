/**
 * The account that a list is narrowed to: the one that its address names, or the one that the
 * visitor has chosen.
 *
 * @param named `partyId` of the address; empty asks for all accounts
 * @param chosenId the visitor's choice
 */
export function narrowedTo(
  parties: readonly { partyId: number }[],
  named: string | undefined,
  chosenId: number | undefined,
): number | undefined {
  if (named === '') return undefined
  return parties.find(({ partyId }) => String(partyId) === named)?.partyId ?? chosenId
}

/** Fields of addresses that hold for one account only. */
const FIELDS_OF_ONE_ACCOUNT = ['partyId', 'cursor']

/** A path of this site as it is for whichever account is chosen. */
export function forAnyAccount(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://local')
  for (const name of FIELDS_OF_ONE_ACCOUNT) searchParams.delete(name)
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`
}
