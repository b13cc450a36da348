// Licences of production packages: permissive, and published.
import { expect, it } from 'vitest'
import { licencesPage } from '../../src/http/pages/docs/licences.ts'
import { productionLicences } from '../../src/http/pages/docs/production-licences.ts'

const PERMISSIVE: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
])

it('attack 18: every licence of a production package is permissive', () => {
  const all = productionLicences()
  expect(all.length).toBeGreaterThan(100)
  // An SPDX expression `(A OR B)` lets the user choose.
  const choices = (licence: string): string[] => licence.replace(/^\((.*)\)$/, '$1').split(' OR ')
  expect(all.filter(({ licence }) => !choices(licence).some((each) => PERMISSIVE.has(each)))).toEqual([])
})

it('attack 18: the page counts the licences, and only those of a production install', () => {
  expect(licencesPage()).toMatch(/<li>MIT: \d+<\/li>/)
  expect(licencesPage()).not.toContain('lightningcss')
})
