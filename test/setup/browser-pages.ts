import type { Page } from 'playwright-core'
import type { SharedMarketplace } from './app.ts'

/** Signs in over the login page. */
export async function signInOn(
  page: Page,
  { url }: Pick<SharedMarketplace, 'url'>,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  // Who has no account lands in the own console, or chooses a developer first.
  const landings = ['/', '/Operator', '/Developer', '/Developer/Choose']
  await page.waitForURL((at) => landings.includes(at.pathname))
}

/** Collects what a browser complains about: violations of the policy, errors, failed loads. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('dialog', async (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    await dialog.dismiss()
  })
  return complaints
}

/** Signs out over the menu of the header. */
export async function signOutOn(page: Page): Promise<void> {
  await page.locator('.user-menu > summary').click()
  await page.locator('.user-menu').getByRole('button', { name: 'Sign out' }).click()
}
