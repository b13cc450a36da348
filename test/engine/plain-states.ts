// Accounts and positions of all sorts, most of them plain, for tests of how a start reads them.
import fc from 'fast-check'
import { keyOf } from '../../snapshots/keys.ts'
import { textOf } from '../../snapshots/rows.ts'
import { namedContext, recordOp, toEnvelope } from '../../src/engine/records/codec.ts'
import type { RecordState } from '../../src/engine/records/record.ts'
import { account, AT, position, TOUCH } from '../machines/records.ts'

const ref = (address: string) => ({ address, id: null })
const mostly = <T>(usual: T, ...others: readonly T[]) =>
  fc.oneof({ arbitrary: fc.constant(usual), weight: 30 }, ...others.map((other) => fc.constant(other)))
const usualWord = fc.constantFrom('x', 'y', 'Zürich', '東京', '', ' ', '\uE000')
const oddWord = fc.constantFrom('a,"b', 'line\nbreak', '{"reserved":"5"}')
const word = fc.oneof({ arbitrary: usualWord, weight: 30 }, oddWord)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary)

const holding = fc.record({
  address: fc.constantFrom('Addr1', 'Addr2', 'Addr3', 'Addr4'),
  organization: word,
  managed: fc.boolean(),
  canPayFees: mostly(false, true),
  shared: mostly(false, true),
  subscribeToNetworkEvents: mostly(false, true),
  globalFeePayerForOrgs: mostly<string[] | null>(null, ['x'], []),
  orgsAllowedToSignWithPrivateKey: mostly<string[] | null>(null, ['y']),
  solDebitApiKeys: mostly<string[] | null>(null, ['key', 'an "other"']),
  comments: mostly<string | null>(null, 'C', 'a "quote"', '\\'),
  madeAt: mostly<string>(AT),
  keyLocation: mostly<string[]>(['DATABASE'], [], ['DKG'], ['DATABASE', 'SECRETS']),
  creation: maybe(fc.constant(TOUCH)),
  last: fc.constantFrom(null, TOUCH, { ...TOUCH, transactionId: null }, { ...TOUCH, signature: 'x' }),
  lamports: fc.record({ balance: fc.constantFrom('0', '12345678901234567890'), reserved: mostly('0', '7', '00', '') }),
  references: fc.record({
    type: fc.constantFrom('WALLET', 'ASSETS_WALLET'),
    organizationExternalId: word,
    code: maybe(word),
    alId: maybe(word),
    accountNumber: maybe(word),
    name: maybe(word),
  }),
})
const place = fc.record({
  tenant: fc.constantFrom('ACME', 'A bank', 'Größe', '\uE000'),
  cluster: fc.constantFrom('C', 'D 2'),
  revision: fc.constantFrom(1, 12, 123_456),
})

export const plainState = fc
  .oneof(
    fc.record({ place, holding, value: fc.constantFrom('pending', 'active', 'closed') }).map((each) => ({
      ...each.place,
      kind: 'account',
      value: each.value,
      context: { ...account, ...each.holding },
    })),
    fc
      .record({
        place,
        holding,
        value: fc.constantFrom('pending', 'initialized', 'frozen', 'closed'),
        owner: word,
        mint: word,
        decimals: fc.constantFrom(0, 6),
        reserved: mostly('0', '1'),
        program: fc.constantFrom('SPL', 'TOKEN_2022'),
        otherAuthorities: fc.constantFrom(undefined, null, { closeAuthority: ref('x'), delegate: null }),
        rentPaid: fc.constantFrom(undefined, { by: 'x', lamports: '12345678901234567890' }, { by: 'y', lamports: '7' }),
      })
      .map((each) => ({
        ...each.place,
        kind: 'position',
        value: each.value,
        context: {
          ...position,
          ...each.holding,
          owner: ref(each.owner),
          mint: ref(each.mint),
          decimals: each.decimals,
          tokens: { balance: '500', reserved: each.reserved },
          program: each.program,
          ...(each.otherAuthorities === undefined ? {} : { otherAuthorities: each.otherAuthorities }),
          ...(each.rentPaid === undefined ? {} : { rentPaid: each.rentPaid }),
        },
      })),
  )
  .map((each) => each as unknown as RecordState)
const ids = fc.uniqueArray(fc.oneof(fc.uuid(), fc.constantFrom('1', 'an id', 'ü')), { minLength: 1, maxLength: 30 })
/** Records with different ids. */
export const states = fc
  .tuple(ids, fc.array(plainState, { minLength: 30, maxLength: 30 }))
  .map(([all, found]) => all.map((id, index) => ({ ...found[index]!, id })))

/** No other tenant has a right to the account, and nothing is open. */
export const UNUSED = {
  canPayFees: false,
  shared: false,
  subscribeToNetworkEvents: false,
  globalFeePayerForOrgs: null,
  orgsAllowedToSignWithPrivateKey: null,
  lamports: { balance: '5', reserved: '0' },
}
export const PLAIN = {
  ...{ kind: 'account', tenant: 'ACME', cluster: 'C', id: 'r', revision: 1, value: 'active' },
  context: { ...account, ...UNUSED },
} as unknown as RecordState

export function rowOf(state: RecordState): { key: string; text: string } {
  const op = recordOp(state)
  return { key: keyOf(op), text: textOf(op)! }
}

/** As earlier releases wrote it: with the names of its members. */
export function namedRowOf(state: RecordState): { key: string; text: string } {
  const envelope = toEnvelope(state)
  const op = { type: 'record', envelope: { ...envelope, context: namedContext(envelope) } } as const
  return { key: keyOf(op), text: textOf(op)! }
}
export const WRITERS = [
  ['by position', rowOf],
  ['with names', namedRowOf],
] as const
