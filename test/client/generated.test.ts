// The generated client equals the present routes.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { expect, it } from 'vitest'
import { generateFiles } from './generate.ts'

it('matches the routes', async () => {
  const stale = [...(await generateFiles())].filter(
    ([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text,
  )
  expect(
    stale.map(([path]) => relative(process.cwd(), path)),
    'the interface has changed: run `npx tsx test/client/generate.ts` (or `npm run client`) and commit what it writes',
  ).toEqual([])
})
