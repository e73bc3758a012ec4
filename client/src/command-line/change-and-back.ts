import { MarketplaceError } from '../errors.ts'

/**
 * Changes something, and puts it back at once.
 *
 * @param left says what stays changed when it cannot be put back
 * @throws MarketplaceError that begins with `left`
 */
export async function changeAndBack(
  change: () => Promise<unknown>,
  back: () => Promise<unknown>,
  left: string,
): Promise<void> {
  await change()
  try {
    await back()
  } catch (error) {
    if (!(error instanceof MarketplaceError)) throw error
    const { code, status, errors, requestId } = error
    const message = `${left}: ${error.message}`
    throw new MarketplaceError({ code, status, errors, requestId, message, cause: error })
  }
}
