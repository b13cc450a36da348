// The accessibility check of the present page by axe: its findings, one line for each element.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[]
}

/** Rules about colours: the others have the same result in other colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** Empty if axe finds no problem. */
export async function violations(page: Page, rules: 'all' | 'of colours' = 'all'): Promise<string[]> {
  // Evaluated, not added as an element: the policy of the page stays unchanged. Half a megabyte, so once for each page.
  if (await page.evaluate<boolean>('window.axe === undefined')) await page.evaluate(AXE)
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules === 'all' ? {} : { runOnly: OF_COLOURS }) })
  const report = await page.evaluate<{ violations: readonly Violation[] }>(`axe.run(document, ${options})`)
  return report.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) =>
        `${id} (${help}): ${target.join(' ')} ${failureSummary.replace(/\s+/g, ' ')}`,
    ),
  )
}
