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
  {
    name: 'reads: rules of the requester named to the tenant that signs',
    file: 'src/operations/authorization/limits/hidden-rules.ts',
    edits: [
      {
        find: 'if (!(error instanceof Refusal) || call.tenant === tenant) throw error',
        replace: 'if (!(error instanceof Refusal) || tenant) throw error',
      },
    ],
    tests: [
      {
        file: 'test/trust/strangers/requests-refused.test.ts',
        name: 'a supply limit that was lowered since is not named',
      },
    ],
  },
  {
    name: 'reads: rules named when a signed transaction is judged again',
    file: 'src/operations/authorization/limits/gate.ts',
    edits: [
      {
        find: 'hidingRules(this.#call, this.#transaction.tenant, () => {\n        this.#checkAgain()',
        replace: 'this.#checkAgain()\n      hidingRules(this.#call, this.#transaction.tenant, () => {',
      },
    ],
    tests: [{ file: 'test/trust/strangers/requests-refused.test.ts', name: 'since is not named' }],
  },
  {
    name: 'reads: blocked counterparties of other organizations named',
    file: 'src/operations/authorization/destinations/policy.ts',
    edits: [
      {
        find: 'const isNamed = organization !== null && servesOrganization(counterparty, organization)',
        replace: 'const isNamed = organization !== null || servesOrganization(counterparty, "")',
      },
    ],
    tests: [{ file: 'test/trust/siblings.test.ts', name: 'of another organization stops does not name it' }],
  },
  {
    name: 'reads: counterparties of other organizations named to a screening service',
    file: 'src/operations/authorization/screening/question.ts',
    edits: [
      {
        find: 'counterparty !== undefined && servesOrganization(counterparty, organization)',
        replace:
          'counterparty !== undefined && (organization !== "" || servesOrganization(counterparty, organization))',
      },
    ],
    tests: [{ file: 'test/trust/siblings.test.ts', name: 'does not receive the name that another organization gives' }],
  },
  {
    name: 'reads: offchain data of shared instruments shown to other tenants',
    file: 'src/operations/views/read-models/instrument.ts',
    edits: [
      {
        find: 'isOutside(call, state) ? { ...context, ...UNSEEN }',
        replace: 'isOutside(call, state) ? { ...UNSEEN, ...context }',
      },
    ],
    tests: [{ file: 'test/trust/strangers/shared-accounts.test.ts', name: 'not its offchain data and supply limit' }],
  },
  {
    name: 'reads: default debit limits shown as no limits',
    file: 'src/operations/views/read-models/account.ts',
    edits: [
      {
        find: "if (tokenDebitLimits === null && hasTokenLimits(state)) lists.push('tokenDebitLimits')",
        replace: "if (tokenDebitLimits?.length === 0 && hasTokenLimits(state)) lists.push('tokenDebitLimits')",
      },
    ],
    tests: [
      { file: 'test/e2e/limits/default-limits.test.ts', name: 'are lists, and those whose defaults apply' },
      { file: 'test/e2e/limits/default-limits.test.ts', name: 'at every level of detail' },
    ],
  },
  {
    name: 'reads: events of debit limits without the lists whose defaults apply',
    file: 'src/operations/events/account-changes.ts',
    edits: [
      {
        find: '    before.networkCurrencyDebitLimits !== after.networkCurrencyDebitLimits ||\n',
        replace: '',
      },
    ],
    tests: [{ file: 'test/e2e/events.test.ts', name: 'shows lists of accounts' }],
  },
  {
    name: 'reads: default debit limits cached for another type',
    file: 'src/operations/views/read-models/account-text.ts',
    edits: [{ find: '(Number(hasTokenLimits(state)) << 10)', replace: '(Number(hasTokenLimits(state)) << 9)' }],
    tests: [
      { file: 'test/operations/views/read-models/account-text.test.ts', name: 'is equal to the JSON of the models' },
    ],
  },
  {
    name: 'reads: shared accounts found by organizations of other tenants',
    file: 'src/operations/views/bulk/fetch.ts',
    edits: [
      {
        find: 'forReader(readersOrganizations(platform, call, state.context), state)',
        replace: 'forReader(state.context, state)',
      },
    ],
    tests: [{ file: 'test/trust/strangers/shared-accounts.test.ts', name: 'by the organizations of the reader' }],
  },
  {
    name: 'reads: other fields of shared accounts found by a query for organizations',
    file: 'src/operations/views/bulk/outside.ts',
    edits: [{ find: ' && LISTS_OF_ORGANIZATIONS.has(field.name))', replace: ')' }],
    tests: [{ file: 'test/trust/strangers/shared-accounts.test.ts', name: 'by the organizations of the reader' }],
  },
  {
    name: 'reads: signing requests found by ids of the requester',
    file: 'src/operations/views/bulk/sources.ts',
    edits: [{ find: 'accounts: visible.accounts.map(withoutId)', replace: 'accounts: visible.accounts' }],
    tests: [{ file: 'test/trust/strangers/hidden-ids.test.ts', name: 'of the requester' }],
  },
  {
    name: 'reads: loans found by ids of the other tenant',
    file: 'src/operations/views/loan-accounts.ts',
    edits: [{ find: 'isHolding(state) && maySee(call, state) ? state', replace: 'isHolding(state) ? state' }],
    tests: [
      {
        file: 'test/trust/strangers/hidden-ids.test.ts',
        name: "is not found by the ids of the other tenant's accounts",
      },
      { file: 'test/trust/strangers/loan-ids.test.ts', name: 'do not show the organization' },
    ],
  },
  {
    name: 'reads: instrument of a loan known by the record of who named it',
    file: 'src/operations/views/loan-accounts.ts',
    edits: [{ find: 'if (named?.tenant === context.call.tenant)', replace: 'if (reference.id !== null)' }],
    tests: [{ file: 'test/trust/strangers/loan-ids.test.ts', name: 'by the own record of each instrument' }],
  },
  {
    name: 'reads: alternatives of a filter of loans narrowed as conditions',
    file: 'src/operations/views/bulk/fetch-loans.ts',
    edits: [{ find: "if (operator === 'OR' && filterValues.length > 1)", replace: "if (operator === 'AND')" }],
    tests: [{ file: 'test/trust/strangers/loan-ids.test.ts', name: 'other filters of the query apply' }],
  },
  {
    name: 'reads: name of an instrument of another organization as its symbol',
    file: 'src/operations/payment-requests/create.ts',
    edits: [{ find: '(isOwn ? context.references.name : null)', replace: 'context.references.name' }],
    tests: [
      { file: 'test/trust/siblings.test.ts', name: 'is not shown by the name that another organization gives it' },
    ],
  },
]
