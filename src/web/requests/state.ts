import type { FastifyRequest } from 'fastify'
import type { App } from '../../http/app-type.ts'
import type { FormProblem } from '../shared/forms/form-problems.ts'
import type { FormFields } from '../shared/forms/settings-form.ts'
import type { Secret } from '../shared/page/message-view.ts'
import type { FormOrigin } from './form-origin.ts'
import type { FormKind } from './outcomes.ts'
import type { Visitor } from './visitor-type.ts'

/** What a request of a page is about, as far as it is known by now. */
type PageState = {
  /** Who is signed in, in the scopes that ask for it. */
  visitor: Visitor | null
  form: SentForm
  /** What the page shows again; null when it is opened for the first time. */
  attempt: Attempt | null
  /** What a form that has done its work is answered with. */
  answer: Answer | null
  /** What the page says that answers the request in place. */
  notice: Notice | null
}

/** A form that was sent. */
type SentForm = {
  /** Where it comes from; null when it does not say. */
  origin: FormOrigin | null
  /** Names it where it is acted upon once. */
  id: string | null
  /** Whether its work is under way. */
  isAtWork: boolean
  /** Whose token it has to carry. */
  tokenOwner: string
}

/** What was typed into a form, and what came of it. */
export type Attempt = {
  /** What it is kept by; undefined for a form that is answered in place. */
  id: string | undefined
  path: string
  typed: FormFields
  problems: readonly FormProblem[]
  status: number
  /** What is shown this once, in place of a form. */
  secret: Secret | undefined
}

/** What is kept of a form, or of a secret that is shown once. */
export type Stored = {
  fields?: [string, string][]
  problems?: FormProblem[]
  status?: number
  secret?: Secret
}

/** What a form that has done its work leads to, and what its page says or shows this once. */
export type Answer = { path: string; text?: string; stored?: Stored }

/** A message; for a sign-in that is refused with the name that was typed. */
export type Notice = {
  text: string
  /** Id of the user whose form was sent, where that is known. */
  formOwnerId?: string
  refused?: { name: string }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a form is made of, where what was sent does not say so: a button may name what it is for. */
    formKind?: FormKind
    /** Whether who is not signed in is sent to the sign-in. */
    asksToSignIn?: boolean
  }
  interface FastifyRequest {
    /** Not there where Fastify refuses an address before it knows its decorators, such as `/%zz`. */
    page: PageState
  }
}

const STATES = new WeakMap<FastifyRequest, PageState>()

/** Gives each request its state, when it is asked for. */
export function keepStates(app: App): void {
  app.decorateRequest('page', {
    getter(this: FastifyRequest) {
      const known = STATES.get(this)
      if (known !== undefined) return known
      const form = { origin: null, id: null, isAtWork: false, tokenOwner: '' }
      const state: PageState = { visitor: null, form, attempt: null, answer: null, notice: null }
      STATES.set(this, state)
      return state
    },
  })
}
