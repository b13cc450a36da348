// What the document says of each operation besides its data: the roles that allow it, the bundles that hold one of
// them, and whether it creates a transaction.
import { BUNDLES, type Bundle, type Role } from '../../contract/roles.ts'
import type { Json } from './openapi.ts'

export type CreatesTransaction = 'always' | 'if requested' | 'never'

/** @param roles any one of them is sufficient; none: a valid key is */
export function rightsDocument(roles: readonly Role[], creates: CreatesTransaction, more = ''): Json {
  const bundles = bundlesWith(roles)
  const holders = bundles.length === 0 ? '' : ` (in the bundle${bundles.length === 1 ? '' : 's'} ${bundles.join(', ')})`
  const required =
    roles.length === 0 ? 'Requires a valid API key, and no role.' : `Requires the role ${roles.join(' or ')}${holders}.`
  return {
    description: [required, `Creates a transaction: ${creates}.`, more].filter(Boolean).join(' '),
    'x-required-role': roles,
    'x-bundles': bundles,
    'x-creates-transaction': creates,
  }
}

/** Bundles whose keys may call an endpoint that any of the roles allows. */
export function bundlesWith(roles: readonly Role[]): Bundle[] {
  return (Object.keys(BUNDLES) as Bundle[]).filter((bundle) => roles.some((role) => BUNDLES[bundle].includes(role)))
}
