import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { untilMedia } from '../setup/accessible.ts'
import { openBrowser } from '../setup/browser.ts'

test('a page that refuses to evaluate texts is waited for until it has a new width', async () => {
  const server = createServer((_, response) => {
    response.setHeader('content-security-policy', "default-src 'none'")
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Page</title>')
  }).listen(0, '127.0.0.1')
  const browser = await openBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 800, height: 600 } })
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    let isWide = false
    const waiting = untilMedia(page, '(min-width: 1000px)').then(() => expect(isWide).toBe(true))
    // Asked for some times before.
    for (let frame = 0; frame < 5; frame += 1)
      await page.evaluate('new Promise(requestAnimationFrame)')
    isWide = true
    await page.setViewportSize({ width: 1200, height: 600 })
    await waiting
  } finally {
    await browser.close()
    server.close()
  }
})
