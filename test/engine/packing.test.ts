// What rows leave out comes back, whatever the members are, and rows that a released version wrote mean what they
// meant.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KINDS, type Kind, type StoredSnapshot } from '../../machines/kinds.ts'
import { freshTransaction } from '../../machines/transaction-record.ts'
import { fromEnvelope, toEnvelope, type TransactionPayload } from '../../src/engine/records/codec.ts'
import type { Envelope } from '../../snapshots/store.ts'
import type { RecordState } from '../../src/engine/records/record.ts'
import { holding } from '../machines/records.ts'

const kinds = Object.keys(KINDS) as Kind[]
const fixed = { endpoint: 'a test' } as unknown as TransactionPayload['fixed']
const read = (envelope: unknown): RecordState =>
  fromEnvelope(envelope as Envelope, () => ({ fixed, signedBytes: null }))

function stored(kind: Kind): StoredSnapshot[] {
  const { version } = KINDS[kind]
  const file = new URL(`../machines/fixtures/v${version}/${kind}.json`, import.meta.url)
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
  it.each(kinds)('give back what was written: %s', (kind) => {
    const snapshots = stored(kind)
    const names = [...new Set(snapshots.flatMap(({ context }) => Object.keys(context as object)))].filter(
      (name) => name !== 'fixed',
    )
    const seen = snapshots.flatMap(({ context }) =>
      Object.values(context as Record<string, unknown>).filter((value) => !isObject(value)),
    )
    // Values of other members in the place of its own: those that are left out, too.
    const changes = fc.dictionary(fc.constantFrom(...names), fc.constantFrom(...seen, null, false, true, 0, ''), {
      maxKeys: 6,
      noNullPrototype: true,
    })
    fc.assert(
      fc.property(fc.constantFrom(...snapshots), changes, ({ value, context }, changed) => {
        const state = recordOf(kind, { value, context: { ...(context as object), ...changed } })
        const row: unknown = JSON.parse(JSON.stringify(toEnvelope(state)))
        expect(read(row)).toStrictEqual(state)
      }),
    )
  })

  it('of version 1 mean what they meant when they were written', () => {
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
    const known = { signature: 'a signature', history }
    expect(read({ ...place, kind: 'transaction', value: 'signed', context: known }).context).toStrictEqual({
      ...freshTransaction(fixed),
      ...known,
      ourSignature: true,
      complete: true,
    })
  })
})
