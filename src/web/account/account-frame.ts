import { type FormProblem, problemSummary, problemsOn } from '../shared/forms/form-problems.ts'
import { type Html, html } from '../shared/page/html.ts'
import { type HtmlPage, page, type UserShell } from '../shared/page/html-page.ts'
import { type Message, messageView } from '../shared/page/message-view.ts'

/** A page about the signed-in user: what went wrong, and what has just happened. */
type AccountInput = UserShell & {
  problems?: readonly FormProblem[]
  message?: Message | undefined
}

type Frame = {
  title: string
  /** The heading, when it is more than the title's text. */
  heading?: Html
  /** Under the heading. */
  lead?: Html | string
  /** The page that this one belongs to. */
  back?: { href: string; label: string }
  /** Files under `assets/` to be loaded after `style.css`. */
  stylesheets?: readonly string[]
  /** Whether a control of the content takes the focus, in the place of its problems. */
  takesFocus?: boolean
  content: Html
}

/** The frame of every page about the signed-in user and the user's accounts. */
export function accountFrame(input: AccountInput, frame: Frame): HtmlPage {
  const { user, csrfToken, assetVersion, message } = input
  const {
    title,
    heading = html`${title}`,
    lead,
    back,
    stylesheets = [],
    takesFocus,
    content,
  } = frame
  const problems = problemsOn(content, input.problems ?? [])
  const body = html`${back && html`<p><a href="${back.href}">← ${back.label}</a></p>\n`}<div
class="page-head"><h1>${heading}</h1>${lead && html`<p class="lead">${lead}</p>`}</div>
${messageView(message)}
${problemSummary(problems, { takesFocus: !takesFocus })}
${content}`
  return page({
    user,
    csrfToken,
    assetVersion,
    title,
    hasProblems: problems.length > 0,
    section: 'account',
    layout: 'form',
    stylesheets,
    body,
  })
}
