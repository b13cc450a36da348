// Payloads of all forms: with accounts that the message contains or not, and with members that no row has a place for.
import fc from 'fast-check'
import type { TransactionPayload } from '../../../src/engine/records/codec.ts'
import { addressOf } from '../../../src/solana/address.ts'
import { fixed as wholeFixed } from '../../machines/records.ts'

const ADDRESSES = ['one', 'two', 'three'].map((name) => addressOf(Buffer.alloc(32, name)))
const address = fc.constantFrom(...ADDRESSES)
const id = fc.option(fc.constantFrom('a', 'b'))
const reference = fc.record({ address, id })
const units = fc.bigInt({ min: 0n, max: 10n ** 18n }).map(String)
const movement = fc.record({
  asset: fc.constantFrom('lamports', 'tokens', 'supply'),
  released: units,
  debited: units,
  credited: units,
})
const facts = fc.array(fc.record({ event: fc.record({ type: fc.constant('chain.created') }) }), { maxLength: 2 })
const entry = fc.record(
  {
    tenant: fc.constantFrom('ACME', 'OTHER'),
    record: fc.constantFrom('a', 'b', 'c'),
    movements: fc.array(movement, { maxLength: 3 }),
    charge: fc.array(movement, { maxLength: 1 }),
    facts,
    vouched: fc.constant(true),
  },
  { requiredKeys: ['tenant', 'record', 'movements', 'charge', 'facts'], noNullPrototype: true },
)
const debit = fc.record(
  {
    tenant: fc.constantFrom('ACME', 'OTHER'),
    record: fc.constantFrom('a', 'b', 'c'),
    address,
    mint: fc.option(address),
    operation: fc.constantFrom('TRANSFER', 'BURN'),
    destination: fc.constantFrom('MANAGED', 'FEES', null),
    beneficiary: fc.constant('ACME'),
    amount: units,
  },
  { requiredKeys: ['tenant', 'record', 'mint', 'operation', 'destination', 'amount'], noNullPrototype: true },
)
export const KEYS = ['one', 'two', 'three', 'hash'].map((name) => Buffer.alloc(32, name))
/** Begins like the bytes of a real transaction, with keys that the accounts may contain, or truncated. */
const messageWithKeys = fc
  .tuple(fc.constantFrom([], [0x80]), fc.uniqueArray(fc.nat(2), { maxLength: 3 }), fc.nat(40))
  .map(([version, keys, cut]) => {
    const bytes = Buffer.concat([
      Buffer.from([...version, 1, 0, 0, keys.length]),
      ...keys.map((at) => KEYS[at]!),
      KEYS[3]!,
    ])
    return bytes.subarray(0, bytes.length - Math.max(0, cut - 30))
  })
const anyBytes = fc.uint8Array({ minLength: 1, maxLength: 90 }).map((bytes) => Buffer.from(bytes))
const message = fc.oneof(anyBytes, messageWithKeys)
const signed = fc
  .tuple(message, fc.integer({ min: 0, max: 4 }))
  .map(([bytes, count]) => Buffer.concat([Buffer.from([count]), Buffer.alloc(64 * count, 7), bytes]).toString('base64'))

export const payload = fc
  .record({
    accounts: fc.array(reference, { maxLength: 4 }),
    feePayer: reference,
    signers: fc.array(reference, { maxLength: 3 }),
    instructions: fc.array(
      fc.record({ type: fc.constant('TRANSFER'), programId: fc.constantFrom(ADDRESSES[0]!, 'far') }),
    ),
    entries: fc.array(entry, { maxLength: 3 }),
    debits: fc.option(fc.array(debit, { maxLength: 3 }), { nil: undefined }),
    message: message.map((bytes) => bytes.toString('base64')),
    blockhash: fc.constantFrom('another', addressOf(Buffer.alloc(32, 'hash'))),
    organization: fc.constantFrom('ACME', 'OTHER'),
    version: fc.constantFrom('V0', 'LEGACY'),
    nonceAccount: fc.option(reference),
    computeUnitPrice: fc.option(units),
    lastValidBlockHeight: fc.option(fc.nat()),
    rents: fc.option(fc.constant({ one: '7' }), { nil: undefined }),
    itemReferences: fc.option(fc.constant(['i1', 'i2']), { nil: undefined }),
    referenceOfItem: fc.option(fc.constant([1, null, 0, 1]), { nil: undefined }),
    signedBytes: fc.option(signed),
    matches: fc.boolean(),
    held: fc.boolean(),
  })
  .map(({ debits, rents, itemReferences, referenceOfItem, signedBytes, matches, held, ...members }) => {
    const inBytes = signedBytes === null ? members.message : messageOf(signedBytes)
    return {
      fixed: {
        ...wholeFixed,
        ...members,
        ...(matches ? { message: inBytes } : {}),
        ...(debits === undefined ? {} : { debits }),
        ...(rents === undefined ? {} : { rents }),
        ...(itemReferences === undefined ? {} : { itemReferences }),
        ...(referenceOfItem === undefined ? {} : { referenceOfItem }),
      },
      signedBytes,
      ...(held ? { held } : {}),
    } as unknown as TransactionPayload
  })

export function messageOf(signedBytes: string): string {
  const bytes = Buffer.from(signedBytes, 'base64')
  return bytes.subarray(1 + 64 * bytes[0]!).toString('base64')
}
