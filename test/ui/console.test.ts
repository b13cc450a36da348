// The console in a browser, against the real service.
import { expect, it } from 'vitest'
import { violations } from './axe.ts'
import { openViewer, stage } from './viewer.ts'

it('opens without an error and asks no other host', async () => {
  await using viewer = await openViewer()
  await viewer.page.goto(`${stage.url}/console`)
  await viewer.page.getByText('Holdfast').first().waitFor()
  await viewer.screenshot('console')
  expect(await violations(viewer.page)).toEqual([])
  expect(viewer.offences).toEqual([])
})
