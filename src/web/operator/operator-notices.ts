import { shownEmail } from '../../base/values/email.ts'

/** What a page says after a form has done its work, by the name of the thing. */
export const OPERATOR_NOTICES = {
  created: (name: string) => `${name} was created.`,
  createdForSignOn: ({ name, email }: { name: string; email: string }) =>
    `${name} was created, and signs in by single sign-on as ${shownEmail(email)}.`,
  changed: (name: string) => `The changes to ${name} were saved.`,
  suspended: (name: string) => `${name} is suspended, effective immediately.`,
  closed: (name: string) => `${name} is closed for good.`,
  resumed: (name: string) => `${name} was resumed.`,
  mayInstallAgain: ({ appName, partyName }: { appName: string; partyName: string }) =>
    `${partyName} may install ${appName} again.`,
} as const
