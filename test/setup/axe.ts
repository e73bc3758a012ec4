import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** All that a violation is told with; the selectors of what is right cost most of the time. */
const REPORT = {
  resultTypes: ['violations'],
  selectors: false,
  // What the rules below look at; no rule of theirs reads style sheets.
  preload: { assets: ['media'] },
}
const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Rules whose result the width and the colours of a page can change: of colours, sizes and
 * scrolling, and those that miss what is hidden: a name, a heading, a target.
 */
const LAYOUT_RULES = [
  'color-contrast',
  'link-in-text-block',
  'target-size',
  'scrollable-region-focusable',
  'button-name',
  'link-name',
  'summary-name',
  'label',
  'select-name',
  'aria-command-name',
  'nested-interactive',
  'empty-heading',
  'empty-table-header',
  'heading-order',
  'page-has-heading-one',
  'landmark-one-main',
  'skip-link',
  'bypass',
]

/** What axe finds on a page as it is now: the rule, and the markup that breaks it. */
export async function violations(page: Page, rules: 'all' | 'layout' = 'all'): Promise<string[]> {
  // The page's policy forbids scripts; this one runs beside it, as an extension would.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
  const options = { runOnly: rules === 'all' ? ALL_RULES : LAYOUT_RULES, ...REPORT }
  // Colours are those at the end of a transition: a page that begins in another process of the
  // browser may have missed that motion is reduced.
  const { violations: found } = (await page.evaluate(`(() => {
    for (const animation of document.getAnimations()) animation.finish()
    return axe.run(document, ${JSON.stringify(options)})
  })()`)) as AxeResults
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
