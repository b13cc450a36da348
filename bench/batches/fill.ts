// Writes a year of movements and the holders of an instrument into the store, with the service's own codec. Movements
// refer to copies of a transfer that the service executed. Every holder has movements before and after last week.
import { createHash, randomUUID } from 'node:crypto'
import { fromEnvelope, recordOp } from '../../src/engine/records/codec.ts'
import { payloadOfRow } from '../../src/engine/records/payload-row.ts'
import { ofKind, type RecordState } from '../../src/engine/records/record.ts'
import { STAMPS_PER_MS } from '../../src/engine/movements/row.ts'
import { encodeBase58 } from '../../src/solana/base58.ts'
import { openStore } from '../../snapshots/level-store.ts'
import type { Envelope, Store, StoreOp } from '../../snapshots/store.ts'
import { TENANT, type Scene } from './scene.ts'

const DAY_MS = 86_400_000
export const YEAR_MS = 365 * DAY_MS
export const WEEK_MS = 7 * DAY_MS
const MOVED_BEFORE_MS = 20 * DAY_MS
const MOVED_AFTER_MS = 2 * DAY_MS
const ROWS_PER_COMMIT = 5_000
const TOKENS = 't'
/** Amount of each movement of the year, added or subtracted. */
const DELTA = 1_000

export interface Filled {
  /** Raw units of all holders together: last week, and now. */
  readonly lastWeek: bigint
  readonly now: bigint
}

export interface FillOptions {
  readonly movements: number
  readonly holders: number
  /** The instrument of the holders. */
  readonly held: string
  readonly nowMs: number
}

/** @param path path of the store, which must be closed */
export async function fill(path: string, scene: Scene, wanted: FillOptions): Promise<Filled> {
  const failed: Error[] = []
  const store = await openStore({ path, onFatal: (error) => failed.push(error) })
  try {
    const found = await templates(store, scene)
    await write(store, yearOf(scene.source.offchainId, found, store, wanted))
    await write(store, holdersOf(found.position, wanted))
  } finally {
    await store.close()
  }
  if (failed[0] !== undefined) throw failed[0]
  let [lastWeek, now] = [0n, 0n]
  for (let number = 0; number < wanted.holders; number += 1) {
    lastWeek += heldBefore(number)
    now += heldBefore(number) + gained(number)
  }
  return { lastWeek, now }
}

interface Templates {
  /** A transfer from the source. */
  readonly transfer: Envelope
  readonly position: RecordState<'position'>
}

async function templates(store: Store, { source }: Scene): Promise<Templates> {
  let transfer: Envelope | undefined
  let position: RecordState<'position'> | undefined
  for await (const page of store.load(TENANT)) {
    for (const envelope of page) {
      if (envelope.id === source.offchainId) position = ofKind(fromEnvelope(envelope, withoutPayload), 'position')
      if (envelope.kind !== 'transaction' || transfer !== undefined) continue
      const { fixed } = payloadOfRow(store.payload(TENANT, envelope.cluster, envelope.id))
      if (envelope.value === 'finalized' && fixed.endpoint.endsWith('/positions/transfer')) transfer = envelope
    }
  }
  if (transfer === undefined || position === undefined) throw new Error('the store has no transfer of the source')
  return { transfer, position }
}

function withoutPayload(): never {
  throw new Error('a position has no payload')
}

function* yearOf(
  record: string,
  { transfer }: Templates,
  store: Store,
  { movements, nowMs }: FillOptions,
): Generator<StoreOp> {
  const { cluster } = transfer
  const payload = store.payload(TENANT, cluster, transfer.id)
  for (let number = 0; number < movements; number += 1) {
    const id = randomUUID()
    const delta = number % 2 === 0 ? DELTA : -DELTA
    const atMs = nowMs - YEAR_MS + Math.floor(((number + 1) * (YEAR_MS - DAY_MS)) / (movements + 1))
    yield { type: 'old', envelope: { ...transfer, id } }
    yield { type: 'payload', tenant: TENANT, cluster, id, payload }
    const after = String(delta > 0 ? DELTA : 0)
    const row = [String(delta), after, 's', id]
    yield { type: 'movement', tenant: TENANT, record, asset: TOKENS, stamp: atMs * STAMPS_PER_MS, row }
  }
}

const heldBefore = (number: number): bigint => BigInt(1 + (number % 1_000))
const gained = (number: number): bigint => BigInt(number % 7)

/** Positions that are not on chain, because reconciliation would change the balances of others. */
function* holdersOf(template: RecordState<'position'>, { holders, held, nowMs }: FillOptions): Generator<StoreOp> {
  for (let number = 0; number < holders; number += 1) {
    const id = randomUUID()
    const [before, more] = [heldBefore(number), gained(number)]
    const { context } = template
    yield recordOp({
      ...template,
      id,
      value: 'pending',
      context: {
        ...context,
        address: addressOf(`position ${number}`),
        owner: { address: addressOf(`holder ${number}`), id: null },
        mint: { address: held, id: null },
        references: { ...context.references, code: `HELD-${number}` },
        managed: false,
        tokens: { balance: String(before + more), reserved: '0' },
        creation: null,
        last: null,
        madeAt: new Date(nowMs - MOVED_BEFORE_MS).toISOString(),
      },
    })
    const place = { type: 'movement', tenant: TENANT, record: id, asset: TOKENS } as const
    const [first, second] = [nowMs - MOVED_BEFORE_MS, nowMs - MOVED_AFTER_MS].map((atMs) => atMs * STAMPS_PER_MS)
    yield { ...place, stamp: first!, row: [String(before), String(before), 'r'] }
    if (more > 0n) yield { ...place, stamp: second!, row: [String(more), String(before + more), 'r'] }
  }
}

const addressOf = (name: string): string => encodeBase58(createHash('sha256').update(name).digest())

async function write(store: Store, ops: Iterable<StoreOp>): Promise<void> {
  let some: StoreOp[] = []
  const flush = async (): Promise<void> => {
    await store.commit([{ tenant: TENANT, epoch: 1, ops: some }])
    some = []
  }
  for (const op of ops) {
    some.push(op)
    if (some.length >= ROWS_PER_COMMIT) await flush()
  }
  await flush()
}
