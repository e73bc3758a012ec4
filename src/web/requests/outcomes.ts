/**
 * What a form is made of: `button` has nothing to fill in, `fields` has entries that a page may show
 * again, `secret` has a password among them, and `wizard` has several steps or a long text.
 */
export type FormKind = 'button' | 'fields' | 'secret' | 'wizard'

/** What may lie between a form and what it asks for. */
export type FormEvent =
  | 'refused'
  | 'changed meanwhile'
  | 'session ended'
  | 'other user'
  | 'other developer'
  | 'factor too old'
  | 'second click'
  | 'outage'

type Outcome = {
  /** What the visitor sees. */
  shows: string
  /** Whether what was typed waits, sealed, for the one who typed it. */
  waits: boolean
  /** What the form says when it shows again, where nobody else says it. */
  says?: string
}

const SIGNED_OUT =
  'You were signed out before this was saved. Your entries are still here: check them and submit again.'
const CONFIRMED =
  'You have confirmed that it is you. Nothing was saved yet: check your entries, then send the form again.'
const SWITCHED =
  'You have switched back. Nothing was saved yet: check your entries, then send the form again.'

/**
 * What comes of a form that was not acted upon, by what happened and by what it is made of. The
 * engine reads it, `docs/pages.md` shows it, and a browser test walks each row.
 */
export const OUTCOMES: Readonly<Record<FormEvent, Readonly<Record<FormKind, Outcome>>>> = {
  refused: {
    button: { shows: 'its page, or why not with a way back to it', waits: false },
    fields: { shows: 'the form at once, filled in, with its problems', waits: false },
    secret: { shows: 'the form at its own address, with its problems', waits: true },
    wizard: { shows: 'the step at its own address, with its problems', waits: true },
  },
  'changed meanwhile': {
    button: { shows: 'its page as it is now, or why not with a way back', waits: false },
    fields: { shows: 'the form, filled in, and what has changed', waits: false },
    secret: { shows: 'the form at its own address, and what has changed', waits: true },
    wizard: { shows: 'the step at its own address, and what has changed', waits: true },
  },
  'session ended': {
    button: {
      shows: 'the sign-in, then its page: press again',
      waits: true,
      says: 'You were signed out before this was done. Press the button again.',
    },
    fields: { shows: 'the sign-in, then the form, filled in', waits: true, says: SIGNED_OUT },
    secret: { shows: 'the sign-in, then the form, filled in', waits: true, says: SIGNED_OUT },
    wizard: { shows: 'the sign-in, then the step, filled in', waits: true, says: SIGNED_OUT },
  },
  'other user': {
    button: { shows: 'whose form it is not, and a way on', waits: false },
    fields: { shows: 'whose form it is not, and a way on', waits: true },
    secret: { shows: 'whose form it is not, and a way on', waits: true },
    wizard: { shows: 'whose form it is not, and a way on', waits: true },
  },
  'other developer': {
    button: {
      shows: 'a way to switch back, then its page: press again',
      waits: true,
      says: 'You have switched back. Nothing was done yet: press the button again.',
    },
    fields: { shows: 'a way to switch back, then the form', waits: true, says: SWITCHED },
    secret: { shows: 'a way to switch back, then the form', waits: true, says: SWITCHED },
    wizard: { shows: 'a way to switch back, then the step', waits: true, says: SWITCHED },
  },
  'factor too old': {
    button: {
      shows: 'the question for a code, then its page: press again',
      waits: true,
      says: 'You have confirmed that it is you. Nothing was done yet: press the button again.',
    },
    fields: { shows: 'the question for a code, then the form', waits: true, says: CONFIRMED },
    secret: { shows: 'the question for a code, then the form', waits: true, says: CONFIRMED },
    wizard: { shows: 'the question for a code, then the step', waits: true, says: CONFIRMED },
  },
  'second click': {
    button: { shows: 'what the first click did', waits: false },
    fields: { shows: 'what the first click did', waits: false },
    secret: { shows: 'what the first click did, with the same secret', waits: false },
    wizard: { shows: 'what the first click did', waits: false },
  },
  outage: {
    button: { shows: 'that it did not work, and when to try again', waits: false },
    fields: { shows: 'that it did not work; Back shows the entries', waits: false },
    secret: { shows: 'that it did not work; Back shows the form', waits: false },
    wizard: { shows: 'that it did not work; Back shows the step', waits: false },
  },
}
