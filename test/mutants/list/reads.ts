// What a caller may read: answers about records of other tenants, and what roles and rights that were taken away show.
import type { Mutant } from '../mutant.ts'

export const READS: readonly Mutant[] = [
  {
    name: 'reads: approvals shown to the tenant that is asked to sign',
    file: 'src/operations/views/read-models/transaction.ts',
    edits: [
      { find: 'if (transaction.tenant === tenant) return transaction', replace: 'if (tenant) return transaction' },
    ],
    tests: [
      { file: 'test/trust/strangers/requests-on-hold.test.ts', name: 'not to the tenant that it asks' },
      { file: 'test/trust/strangers/requests-on-hold.test.ts', name: 'before and after the approval' },
    ],
  },
  {
    name: 'reads: names of accounts of other organizations in statements',
    file: 'src/operations/statements/parties.ts',
    edits: [
      { find: 'state !== undefined && maySee(this.#call, state) ? state', replace: 'state !== undefined ? state' },
    ],
    tests: [{ file: 'test/trust/siblings.test.ts', name: 'names no account of another organization of the tenant' }],
  },
]
