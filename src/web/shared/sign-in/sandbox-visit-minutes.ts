/** Time that an app has to send a developer's browser back who opened it in the sandbox. */
export const SANDBOX_VISIT_MINUTES = 5
