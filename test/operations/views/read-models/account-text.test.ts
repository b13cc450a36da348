// The text of a page of accounts is equal, character by character, to that of the read models of single accounts, for
// any accounts and any earlier pages.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { JsonBytes } from '../../../../src/contract/json-bytes.ts'
import type { HoldingState } from '../../../../src/engine/records/record.ts'
import { accountDetailed, accountIdentifiers } from '../../../../src/operations/views/read-models/account.ts'
import {
  accountIdentifiersText,
  accountDetailedText,
  addAccountDetailed,
} from '../../../../src/operations/views/read-models/account-text.ts'
import { holding, instrument, position } from '../../../machines/records.ts'

const ADDRESS = '4Nd1mYQvCqoT3nLwzVvDHoUVmWxkUyxRCJPVMVcfmCmw'
const ID = '0b8a7d5e-4c1f-4a53-9a41-6a3f0f4f1c11'

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ minLength: 60, maxLength: 70 }),
  fc.constantFrom('', '"', '\\', '\u2028', '\ud800', '\udc00x', '\n', '\u0000', '\u007f', 'é', '},"managed":false,'),
)
const maybe = <T>(arbitrary: fc.Arbitrary<T>, freq = 2) => fc.option(arbitrary, { freq })
const seldom = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ arbitrary: fc.constant(null), weight: 12 }, arbitrary)
const flag = fc.boolean()
const names = seldom(fc.array(text, { maxLength: 2 }))
const raw = fc.oneof(fc.nat().map(String), fc.bigInt(0n, 2n ** 64n - 1n).map(String))
const touch = maybe(
  fc.record({
    transactionId: maybe(fc.constant(ID)),
    signature: fc.constant('5igNature'),
    at: fc.constant('2026-11-21T08:00:00.000Z'),
  }),
)
const limit = fc.constant({ operationType: 'ANY', destination: 'FEES', mintAuthority: null, maxAllowedDebit: null })

const heldRecord = fc.record({
  organization: fc.oneof(fc.constantFrom('ACME', 'A"B'), text),
  managed: flag,
  keyLocation: fc.oneof(
    fc.constantFrom([], ['DATABASE'], ['SECRETS'], ['DKG'], ['REMOTE']),
    fc.constant(['DATABASE', 'REMOTE']),
  ),
  references: fc.record({
    type: fc.constantFrom('WALLET', 'NONCE', 'ASSETS_WALLET'),
    organizationExternalId: text,
    code: maybe(text),
    alId: maybe(text),
    accountNumber: maybe(text),
    name: maybe(text),
  }),
  comments: seldom(text),
  domain: seldom(text),
  isDerived: flag,
  subscribeToNetworkEvents: flag,
  shared: flag,
  wasOnchainAlready: flag,
  canPayFees: flag,
  globalFeePayerForOrgs: names,
  orgsAllowedToSignWithPrivateKey: names,
  solDebitApiKeys: names,
  tokenDebitApiKeys: names,
  networkCurrencyDebitLimits: seldom(fc.array(limit, { maxLength: 1 })),
  tokenDebitLimits: seldom(fc.array(limit, { maxLength: 1 })),
  destinationPolicy: fc.oneof({ arbitrary: fc.constantFrom(undefined, 'OPEN'), weight: 9 }, fc.constant('ALLOW_LIST')),
  frozenByOperator: flag,
  lamports: raw.map((balance) => ({ balance, reserved: '0' })),
  creation: touch,
  last: touch,
})

const ofKind = {
  account: fc.record({ tokenDecimals: maybe(fc.nat(18)) }),
  position: raw.map((balance) => ({ ...position, tokens: { balance, reserved: '0' } })),
  instrument: fc.constant(instrument),
}

const state = fc
  .constantFrom('account', 'position', 'instrument')
  .chain((kind) => fc.record({ kind: fc.constant(kind), own: ofKind[kind], shared: heldRecord, value: stateName() }))
  .map(({ kind, own, shared, value }): HoldingState => {
    const context = { ...holding, ...own, ...shared, address: ADDRESS }
    return { kind, tenant: 'ACME', cluster: 'C', id: ID, revision: 1, value, context } as unknown as HoldingState
  })

function stateName() {
  return fc.constantFrom('active', 'pending', 'closed')
}

const extras = fc.record({ laneSuspended: fc.constantFrom(false, true, null), symbol: seldom(text) })

it('is equal to the JSON of the models', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(state, extras), { minLength: 1, maxLength: 6 }), (rows) => {
      const [page, models] = [new JsonBytes(), [] as string[]]
      for (const [each, others] of rows) {
        addAccountDetailed(page, each, others, models.length === 0 ? '' : ',')
        const model = JSON.stringify(accountDetailed(each, others))
        models.push(model)
        expect(accountDetailedText(each, others)).toBe(model)
        expect(accountIdentifiersText(each)).toBe(JSON.stringify(accountIdentifiers(each)))
      }
      expect(Buffer.from(page.bytes).toString()).toBe(models.join(','))
    }),
    { numRuns: 2_000 },
  )
})

it('grows with new members', () => {
  const page = new JsonBytes()
  const texts = Array.from({ length: 300 }, (_, at) => (at % 3 === 0 ? '€' : 'x').repeat(at * 7))
  for (const [at, each] of texts.entries()) {
    if (at % 2 === 0) page.add(each)
    else page.addBytes(Buffer.from(each))
  }
  expect(Buffer.from(page.bytes).toString()).toBe(texts.join(''))
})
