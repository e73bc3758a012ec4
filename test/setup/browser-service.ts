import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { freePort } from './free-port.ts'

/** Starts the Chromium of the run when a test first asks for it, and tells all of them its address. */
export async function setup(project: TestProject) {
  let started: Promise<{ browser: Browser; url: string }> | undefined
  const server = createServer(async (_request, response) => {
    started ??= startBrowser()
    try {
      response.end((await started).url)
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  project.provide('browserService', `http://127.0.0.1:${port}`)

  return async () => {
    server.close()
    await (await started)?.browser.close()
  }
}

async function startBrowser() {
  // It brings much with it, which runs without a browser can do without.
  const { launchBrowser } = await import('./browser.ts')
  const port = await freePort()
  return { browser: await launchBrowser(port), url: `http://127.0.0.1:${port}` }
}
