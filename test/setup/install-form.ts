import { hiddenFields, type WebClient } from './web-client.ts'

/** An acknowledgement that the forms below accept. */
export const RISK = { id: 'risk', title: 'A risk', text: 'Prices change.', order: 1 }

/** Fields of the settings of the option `full`, filled in. */
export const FILLED = {
  's.text': 'jane',
  's.choice': '5',
  's.secret': 's3cret-one',
  's.amount': '0.3',
}

/** The form of the second step for a `fullDraft` app as a browser would send it, filled in. */
export async function filledForm(
  browser: WebClient,
  appId: string,
  option = 'full',
): Promise<Record<string, string>> {
  const { status, text } = await browser.get(`/Apps/${appId}/Install?purchaseOptionId=${option}`)
  if (status !== 200) throw new Error(text)
  return {
    ...hiddenFields(text),
    ...acceptedRisk(text),
    ...(option === 'full' ? FILLED : {}),
  }
}

/** The field that accepts `RISK` in the words that a page shows. */
export function acceptedRisk(text: string): Record<string, string> {
  return { 'accept.risk': /name="accept\.risk" value="([^"]+)"/.exec(text)?.[1] ?? '' }
}

/** The form of the last step, as a browser would send it. */
export async function reviewedForm(
  browser: WebClient,
  appId: string,
  option?: string,
): Promise<Record<string, string>> {
  const form = await filledForm(browser, appId, option)
  if (form.step !== 'review') return form
  const { status, text } = await browser.post(`/Apps/${appId}/Install`, form)
  if (status !== 200) throw new Error(text)
  return hiddenFields(text)
}

/** Installs over the forms; answers the path of the installation. */
export async function installOverForm(
  browser: WebClient,
  appId: string,
  option?: string,
): Promise<string> {
  const form = await reviewedForm(browser, appId, option)
  const { location, text } = await browser.post(`/Apps/${appId}/Install`, form)
  if (location === null) throw new Error(text)
  return location.split('?')[0] ?? ''
}
