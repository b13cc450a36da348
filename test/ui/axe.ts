// The accessibility check of a page as it stands, by axe: what it finds, one line for each element.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[]
}

/** Empty when axe has nothing to say against the page. */
export async function violations(page: Page): Promise<string[]> {
  // Evaluated, not added as an element: the policy of the page stays as it is.
  await page.evaluate(`if (window.axe === undefined) { ${AXE} }`)
  const found = await page.evaluate<{ violations: readonly Violation[] }>("axe.run(document, { resultTypes: ['violations'] })")
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id} (${help}): ${target.join(' ')} ${failureSummary.replace(/\s+/g, ' ')}`),
  )
}
