// Licences of production packages: permissive, or listed with a reason, and published.
import { expect, it } from 'vitest'
import { licencesPage } from '../../src/http/pages/docs/licences.ts'
import { PERMISSIVE, productionLicences, REASONS } from '../../src/http/pages/docs/production-licences.ts'

/** The reason for a package, or for the package of which it is the platform-specific part. */
const reasonOf = ({ name }: { readonly name: string }): string | undefined =>
  Object.entries(REASONS).find(([named]) => name === named || name.startsWith(`${named}-`))?.[1]

it('attack 18: every licence of a production package is permissive, or listed with a reason', () => {
  const all = productionLicences()
  expect(all.length).toBeGreaterThan(100)
  const others = all.filter(({ licence }) => !PERMISSIVE.has(licence))
  expect(others.filter((each) => reasonOf(each)?.startsWith(`${each.licence}.`) !== true)).toEqual([])
  expect(Object.keys(REASONS).filter((name) => !others.some((each) => each.name === name))).toEqual([])
})

it('attack 18: the page names the LGPL packages, with the reason', () => {
  expect(licencesPage()).toContain('rpc-websockets: LGPL-3.0-only. A dependency of @solana/web3.js')
  expect(licencesPage()).not.toContain('lightningcss')
})
