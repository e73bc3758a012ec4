import { hiddenFields, mainOf, type WebClient } from './web-client.ts'

const PATH = '/Account/Notifications'

/** What the bell of a page says. */
export const unreadOn = ({ text }: { text: string }) =>
  /<span class="bell-count">([\d+]+)</.exec(text)?.[1] ?? '0'

const withoutTags = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The notifications on the page of a visitor, newest first, and the bell. */
export async function told(browser: WebClient) {
  const page = await browser.get(PATH)
  const rows = mainOf(page).match(/<li class="row notification[\s\S]*?<\/li>/g) ?? []
  const entries = rows.map((row) => ({
    text: withoutTags(/<p class="row-name">([\s\S]*?)<\/p>/.exec(row)?.[1] ?? ''),
    open: /action="([^"]+)"/.exec(row)?.[1],
  }))
  return { page, unread: unreadOn(page), entries, texts: entries.map(({ text }) => text) }
}

/** Sends the form that opens a notification. */
export async function openTold(browser: WebClient, path: string | undefined) {
  const { _csrf = '' } = hiddenFields((await browser.get(PATH)).text)
  return browser.submit(path ?? '', { _csrf })
}
