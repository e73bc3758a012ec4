/** Says that an operator suspended an account, and why. */
export function accountSuspended(reason: string | null): string {
  return `This account is suspended.${reasonOf(reason)}`
}

/** Says that an account cannot install an app again that it had when an operator suspended it. */
export function installBarred(reason: string | null): string {
  return (
    'The operator suspended this app for this account. You can install it again only when the ' +
    `operator allows it.${reasonOf(reason)}`
  )
}

function reasonOf(reason: string | null): string {
  return reason ? ` The operator’s reason: ${reason}` : ''
}
