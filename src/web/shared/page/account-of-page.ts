import { AppError } from '../../../errors.ts'

/**
 * The account that a list is narrowed to: the one that its address names, or the one that the
 * visitor has chosen in the header.
 *
 * @param named `partyId` of the address; empty asks for all accounts
 * @param chosenId the account in the header
 */
export function narrowedTo(
  parties: readonly { partyId: number }[],
  named: string | undefined,
  chosenId: number | undefined,
): number | undefined {
  if (named === '') return undefined
  return parties.find(({ partyId }) => String(partyId) === named)?.partyId ?? chosenId
}

const NAME_MAX_LENGTH = 16

/**
 * Refuses an address that names an account which is not the visitor's.
 *
 * @param named `partyId` of the address; undefined or empty names none
 * @throws AppError not_found
 */
export function requireOwnAccount(
  parties: readonly { partyId: number }[],
  named: string | undefined,
): void {
  if (!named || parties.some(({ partyId }) => String(partyId) === named)) return
  const account = named.length > NAME_MAX_LENGTH ? 'this account' : `account ${named}`
  throw new AppError('not_found', {
    detail: 'Check the address, or ask the operator of this marketplace to add you to the account.',
    page: {
      title: `You do not belong to ${account}`,
      ways: [{ href: '/?partyId=', label: 'Show your accounts' }],
      asksForOther: true,
    },
  })
}

/** Fields of addresses that hold for one account only. */
const FIELDS_OF_ONE_ACCOUNT = ['partyId', 'cursor']

/** Pages about a member of one account lead to the members of the one that is chosen. */
const OF_ONE_MEMBER = /^(\/account\/members)\/remove\/?$/i

/** A path of this site as it is for whichever account is chosen. */
export function forAnyAccount(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://local')
  const [, members] = OF_ONE_MEMBER.exec(pathname) ?? []
  if (members !== undefined) return members
  for (const name of FIELDS_OF_ONE_ACCOUNT) searchParams.delete(name)
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`
}
