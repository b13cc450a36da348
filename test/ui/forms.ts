// The forms of the console, filled in like by a person.
import { expect } from 'vitest'
import type { Viewer } from './viewer.ts'

type Values = readonly (readonly [label: string, value: string])[]

export async function fill({ page }: Viewer, values: Values, within = page.locator('main')): Promise<void> {
  for (const [label, value] of values) {
    const field = within.getByLabel(new RegExp(`^${label}(?: \\(required\\))?$`))
    await field.waitFor()
    if ((await field.evaluate((each: { readonly tagName: string }) => each.tagName)) === 'SELECT')
      await field.selectOption(value)
    else await field.fill(value)
  }
}

/** Presses Check, and expects that the form has no errors. */
export async function check({ page }: Viewer): Promise<void> {
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  const outcome = page.locator('form.make .estimate, form.make .trouble').first()
  await outcome.waitFor()
  expect(await outcome.textContent()).toContain('It can be done')
}

/** Presses the buttons one after the other, each as soon as it is there. */
export async function press({ page }: Viewer, ...titles: readonly string[]): Promise<void> {
  for (const title of titles) await page.getByRole('button', { name: title, exact: true }).click()
}

export const final = async ({ page }: Viewer): Promise<void> =>
  await page.locator('.followed .badge', { hasText: 'Finalized' }).waitFor()

/** Checks, sends the checked form, and follows it to its end. */
export async function make(viewer: Viewer, title: string): Promise<void> {
  await check(viewer)
  await press(viewer, title)
  await final(viewer)
}
