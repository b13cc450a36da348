// A form of the console whose fields change while it is checked.
import { expect, it } from 'vitest'
import { check, fill, press } from './forms.ts'
import { hold, openViewer, stage } from './viewer.ts'

/** The number of accounts that have the code. */
async function accountsWith(code: string): Promise<number> {
  const headers = { authorization: `Bearer ${stage.apiKey}`, 'content-type': 'application/json' }
  const filter = [{ fieldName: 'code', filterValues: [{ filterType: 'EQUALS', valueString: code }] }]
  const body = JSON.stringify({ itemQuery: { filter } })
  const answer = await fetch(`${stage.url}/api/v1/accounts/bulk/identifiers`, { method: 'POST', headers, body })
  return ((await answer.json()) as { readonly count: number }).count
}

it('does not send a request that was checked before a field was changed', async () => {
  await using viewer = await openViewer({ expected: /status of 40[04]/ })
  const { page } = viewer
  await viewer.signIn()
  await viewer.open('new/account', 'New account')
  await fill(viewer, [['Code', 'CHECKED']])
  const letGo = await hold(page, '**/api/v1/accounts*')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.locator('form.make button[type=submit]:disabled, form.make [aria-busy=true]').first().waitFor()
  await fill(viewer, [['Code', 'SHOWN']])
  letGo()
  await check(viewer)
  await press(viewer, 'New account')
  await page.getByText('New account: done.').waitFor()
  expect([await accountsWith('CHECKED'), await accountsWith('SHOWN')]).toEqual([0, 1])
})
