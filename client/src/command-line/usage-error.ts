/** The command line is wrong; the message tells how to call the command. */
export class UsageError extends Error {}
