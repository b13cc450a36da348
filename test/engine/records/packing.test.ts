// Members that rows omit are restored, for any values, and rows of a released version keep their meaning.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KINDS, type Kind, type StoredSnapshot } from '../../../machines/kinds.ts'
import { addressInRow } from '../../../machines/row-places.ts'
import { freshTransaction } from '../../../machines/transactions/transaction-record.ts'
import { glanceOf, glanceOfRows } from '../../../src/engine/records/glance.ts'
import { glanceOfFixed, glanceOfPayloadRow, payloadOfRow, payloadRow } from '../../../src/engine/records/payload-row.ts'
import { fromEnvelope, namedContext, toEnvelope, type TransactionPayload } from '../../../src/engine/records/codec.ts'
import { addressOf } from '../../../src/solana/address.ts'
import { recordDecoder } from '../../../snapshots/rows.ts'
import type { Envelope } from '../../../snapshots/store.ts'
import type { RecordState } from '../../../src/engine/records/record.ts'
import { fixed as wholeFixed, holding, position } from '../../machines/records.ts'
import { plainState, WRITERS } from '../plain-states.ts'
import { KEYS, messageOf, payload } from './payload-fixture.ts'

const kinds = Object.keys(KINDS) as Kind[]
const fixed = { endpoint: 'a test' } as unknown as TransactionPayload['fixed']
const read = (envelope: unknown): RecordState =>
  fromEnvelope(envelope as Envelope, () => ({ fixed, signedBytes: null }))

function readStored(kind: Kind): StoredSnapshot[] {
  const { version } = KINDS[kind]
  const file = new URL(`../../machines/fixtures/v${version}/${kind}.json`, import.meta.url)
  const snapshots = JSON.parse(readFileSync(file, 'utf8')) as StoredSnapshot[]
  return snapshots.map(({ value, context }) => ({
    value,
    context: kind === 'transaction' ? { ...(context as object), fixed } : context,
  }))
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

function recordOf(kind: Kind, { value, context }: StoredSnapshot): RecordState {
  return {
    kind,
    tenant: 'ACME',
    cluster: 'CHAIN_DEVNET',
    id: 'an id',
    revision: 3,
    value,
    context,
  } as unknown as RecordState
}

describe('rows of records', () => {
  it.each(kinds)('round-trip: %s', (kind) => {
    const snapshots = readStored(kind)
    const names = [...new Set(snapshots.flatMap(({ context }) => Object.keys(context as object)))].filter(
      (name) => name !== 'fixed',
    )
    const values = snapshots.flatMap(({ context }) =>
      Object.values(context as Record<string, unknown>).filter((value) => !isObject(value)),
    )
    // Values of other members in place of its own, including omitted ones.
    const changes = fc.dictionary(fc.constantFrom(...names), fc.constantFrom(...values, null, false, true, 0, ''), {
      maxKeys: 6,
      noNullPrototype: true,
    })
    fc.assert(
      fc.property(fc.constantFrom(...snapshots), changes, ({ value, context }, change) => {
        const state = recordOf(kind, { value, context: { ...(context as object), ...change } })
        const row: unknown = JSON.parse(JSON.stringify(toEnvelope(state)))
        expect(read(row)).toStrictEqual(state)
      }),
    )
  })

  it('of version 1 decode to what they meant when written', () => {
    const place = { tenant: 'ACME', cluster: 'CHAIN_DEVNET', id: 'an id', revision: 1, version: 1 }
    const address = 'De99BKZEdNMnMhm1eP4ZSBnsAd1GbrPqczVTBvsLhPxP'
    const lamports = { balance: '7', reserved: '0' }
    const references = { type: 'WALLET', organizationExternalId: 'ACME' }
    const allReferences = { ...references, code: null, alId: null, accountNumber: null, name: null }
    const plain = { ...holding, address, canPayFees: false, lamports, references: allReferences }
    const account = { address, organization: 'ACME', keyLocation: ['DATABASE'], references, lamports }
    expect(read({ ...place, kind: 'account', value: 'active', context: account }).context).toStrictEqual({
      ...plain,
      managed: true,
      keyOrigin: 'service',
      dataLength: 0,
      ownerProgram: '1'.repeat(32),
      tokenDecimals: null,
    })
    const owned = {
      owner: { address, id: null },
      mint: { address, id: null },
      decimals: 2,
      tokens: lamports,
      keyLocation: [],
    }
    expect(
      read({
        ...place,
        kind: 'position',
        value: 'frozen',
        context: { address, organization: 'ACME', references, lamports, ...owned },
      }).context,
    ).toStrictEqual({
      ...plain,
      ...owned,
      managed: false,
      keyOrigin: 'none',
      dataLength: 165,
      ownerProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      program: 'SPL',
    })
    const history = [{ status: 'SIGNED', at: '2026-01-01T00:00:00.000Z', detail: null }]
    const knownContext = { signature: 'a signature', history }
    expect(read({ ...place, kind: 'transaction', value: 'signed', context: knownContext }).context).toStrictEqual({
      ...freshTransaction(fixed),
      ...knownContext,
      ourSignature: true,
      complete: true,
    })
  })
})

/** Times of one minute and of others, and texts that look like times. */
const instant = fc.constantFrom(
  '2026-11-26T01:43:14.115Z',
  '2026-11-26T01:43:00.000Z',
  '2026-11-26T01:43:59.999Z',
  '2026-11-26T01:44:14.115Z',
  '2026-11-26T01:43:60.000Z',
  '2026-11-26T01:43:1x.115Z',
  '2026-11-26T01:43:14.115+',
  '2026-11-26T01:43:14Z',
  '+002026-11-26T01:43:14.1',
  '2026',
  '',
)
const step = fc.record(
  {
    status: fc.constantFrom('PREPARED', 'SIGNED', 'EXPIRED', 'unheard of'),
    at: instant,
    detail: fc.option(fc.string()),
  },
  { noNullPrototype: true },
)
const transaction = fc.record({
  signature: fc.option(fc.string()),
  history: fc.array(step, { maxLength: 5 }),
  slot: fc.option(fc.nat()),
  confirmations: fc.constantFrom(0, 1, 32),
  attempts: fc.constantFrom(0, 1),
  lastSentAt: fc.option(instant),
  finalAt: fc.option(instant),
  complete: fc.boolean(),
  error: fc.option(fc.constant('it failed')),
})

describe('rows by position', () => {
  it('round-trip accounts and positions of all kinds', () => {
    fc.assert(
      fc.property(plainState, fc.constantFrom(...WRITERS), (each, [, write]) => {
        const state = JSON.parse(JSON.stringify({ ...each, id: 'an id' })) as RecordState
        const { key, text } = write(state)
        const envelope = recordDecoder(state.tenant)(key, text)
        expect(read(envelope)).toStrictEqual(state)
        expect(addressInRow(envelope.context)).toBe((state.context as typeof position).address)
      }),
    )
  })

  it('round-trip transactions with any history, and show how they ended', () => {
    fc.assert(
      fc.property(transaction, (change) => {
        const context = { ...freshTransaction(fixed), ...change }
        const state = recordOf('transaction', { value: 'finalized', context })
        const envelope = JSON.parse(JSON.stringify(toEnvelope(state))) as Envelope
        expect(read(envelope)).toStrictEqual(state)
        expect(read({ ...envelope, context: namedContext(envelope) })).toStrictEqual(state)
        const { signature, slot, blockTime, error } = glanceOfRows(
          envelope,
          payloadRow({ fixed: wholeFixed, signedBytes: null }),
        )
        expect({ signature, slot, blockTime, error }).toEqual({
          signature: change.signature,
          slot: change.slot,
          blockTime: null,
          error: change.error,
        })
      }),
    )
  })

  it('repeat no member name, and no value that follows from another member', () => {
    const touch = { transactionId: 'the transaction', signature: 'the signature', at: '2026-11-26T01:43:14.115Z' }
    const context = {
      ...position,
      canPayFees: false,
      managed: false,
      keyOrigin: 'none',
      keyLocation: [],
      isDerived: true,
      dataLength: 170,
      ownerProgram: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
      references: { ...position.references, accountNumber: null },
      otherAuthorities: null,
      creation: touch,
      last: { ...touch },
      rentPaid: { by: 'Payer111', lamports: '1000' },
    }
    const state = recordOf('position', { value: 'initialized', context })
    expect(JSON.stringify(toEnvelope(state).context)).toBe(
      '[1,"Addr1111","ACME","WALLET","1000","0",["the transaction","the signature","2026-11-26T01:43:14.115Z"],0,null,' +
        '"Owner111",null,"Mint1111",null,1,2,"500","0","Payer111"]',
    )
    const history = [
      { status: 'PREPARED', at: '2026-11-26T01:43:14.115Z', detail: null },
      { status: 'SUBMITTED', at: '2026-11-26T01:43:14.163Z', detail: 'attempt 1' },
    ]
    const sentMembers = { signature: 'the signature', history, attempts: 1, lastSentAt: '2026-11-26T01:43:14.163Z' }
    const complete = { ourSignature: true, complete: true }
    const transaction = { ...freshTransaction(fixed), ...complete, ...sentMembers }
    expect(
      JSON.stringify(toEnvelope(recordOf('transaction', { value: 'submitted', context: transaction })).context),
    ).toBe('[1,"the signature",[0,"2026-11-26T01:43:14.115Z",null,3,14163,"attempt 1"],null,null,null,0,1,1,null]')
  })

  it('of a later layout are refused', () => {
    for (const kind of ['account', 'position', 'transaction'] as const) {
      const [snapshot] = readStored(kind)
      const row = toEnvelope(recordOf(kind, snapshot!))
      const context = [2, ...(row.context as unknown[]).slice(1)]
      expect(() => read({ ...row, context }), kind).toThrow('layout 2')
    }
  })
})

describe('rows of payloads', () => {
  it('round-trip', () => {
    fc.assert(
      fc.property(payload, (each) => {
        const row: unknown = JSON.parse(JSON.stringify(payloadRow(each)))
        expect(payloadOfRow(row)).toStrictEqual(JSON.parse(JSON.stringify(each)))
      }),
    )
  })

  it('give partial reads equal to full reads', () => {
    fc.assert(
      fc.property(payload, (each) => {
        const row: unknown = JSON.parse(JSON.stringify(payloadRow(each)))
        const expected = glanceOfFixed(payloadOfRow(row).fixed)
        for (const writtenRow of [row, JSON.parse(JSON.stringify(each)) as unknown]) {
          const { message, ...others } = glanceOfPayloadRow(writtenRow)
          const { message: fullMessage, ...rest } = expected
          expect(others).toStrictEqual(rest)
          expect(Buffer.from(message)).toStrictEqual(Buffer.from(fullMessage))
        }
      }),
    )
  })

  it('show rent that several tenants have on record once', () => {
    const paid = (tenant: string, record: string, lamports: string) => {
      const event = { type: 'chain.rentPaid', by: 'payer', lamports } as const
      return { tenant, record, movements: [], charge: [], facts: [{ event, undo: event }] }
    }
    const entries = [paid('A', 'a1', '70'), paid('B', 'b1', '70'), paid('A', 'a2', '70'), paid('B', 'b3', '50')]
    const written: unknown = JSON.parse(
      JSON.stringify(payloadRow({ fixed: { ...wholeFixed, entries }, signedBytes: null })),
    )
    const amounts = glanceOfPayloadRow(written).rents.map(({ lamports }) => lamports)
    expect(amounts).toEqual(['70', '70', '50'])
  })

  it('and rows of records give partial reads equal to full reads', () => {
    for (const { value, context } of readStored('transaction')) {
      const members = { ...(context as object), fixed: wholeFixed }
      const state = {
        kind: 'transaction',
        tenant: 'ACME',
        cluster: 'C',
        id: 'one',
        revision: 1,
        value,
        context: members,
      }
      const row: unknown = JSON.parse(JSON.stringify(toEnvelope(state as unknown as RecordState)))
      const glance = glanceOfRows(row as Envelope, payloadRow({ fixed: wholeFixed, signedBytes: null }))
      expect(glance).toStrictEqual(glanceOf(state as unknown as RecordState<'transaction'>))
    }
  })

  it('hold no address, no blockhash and no name that the message and the organization say', () => {
    const keys = KEYS.map((bytes) => addressOf(bytes))
    const bytes = Buffer.concat([Buffer.from([0x80, 1, 0, 0, 3]), ...KEYS])
    const signedBytes = Buffer.concat([Buffer.from([1]), Buffer.alloc(64, 7), bytes]).toString('base64')
    const accounts = keys.slice(0, 3).map((address) => ({ address, id: null }))
    const moves = [{ asset: 'lamports', released: '31', debited: '31', credited: '0' }] as const
    const entries = [{ tenant: 'ACME', record: 'a', movements: moves, charge: moves, facts: [] }]
    const completeFixed = { ...wholeFixed, accounts, entries, blockhash: keys[3]!, message: messageOf(signedBytes) }
    const text = JSON.stringify(payloadRow({ fixed: completeFixed, signedBytes }))
    for (const absent of keys) expect(text).not.toContain(absent)
    expect(text.split('ACME')).toHaveLength(2)
    expect(text.split('lamports')).toHaveLength(2)
    expect(payloadOfRow(JSON.parse(text))).toStrictEqual({ fixed: completeFixed, signedBytes })
  })

  it('store the message of a signed transaction once, and each account once', () => {
    const [from, to] = ['From1111', 'Upto1111'].map((each, index) => ({ address: each, id: `id-${index}` }))
    const signedBytes = Buffer.concat([Buffer.from([1]), Buffer.alloc(64, 7), Buffer.from('message')]).toString(
      'base64',
    )
    const accounts = [from!, to!]
    const completeFixed = {
      ...wholeFixed,
      accounts,
      feePayer: from!,
      signers: [from!],
      message: messageOf(signedBytes),
    }
    const text = JSON.stringify(payloadRow({ fixed: completeFixed, signedBytes }))
    for (const part of [from!.address, from!.id]) expect(text.split(part), part).toHaveLength(2)
  })

  it('of earlier releases are objects', () => {
    const old = { fixed: wholeFixed, signedBytes: null }
    expect(payloadOfRow(old)).toBe(old)
    expect(() => payloadOfRow([4])).toThrow('version 4')
  })
})
