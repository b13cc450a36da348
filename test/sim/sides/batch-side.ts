// Batches under faults: each item lands at most once for any crash, has exactly its effect, and its final state equals
// the chain.
import type { Engine } from '../../../src/engine/engine.ts'
import type { Change } from '../../../src/engine/records/change.ts'
import { ofKind, type RecordState } from '../../../src/engine/records/record.ts'
import type { JsonObject } from '../../../src/contract/call.ts'
import { cancelBatch, retryBatch } from '../../../src/operations/batches/change-batch.ts'
import { createBatch } from '../../../src/operations/batches/create-batch.ts'
import { batchDetails, fetchBatchItems } from '../../../src/operations/batches/read.ts'
import type { Write } from '../../../src/operations/context/platform.ts'
import type { SimulatedChain } from '../chain.ts'
import type { Clients, Leg, Organization, Request } from '../clients.ts'
import type { Marks } from '../marks.ts'
import { OpenRecords } from '../open-records.ts'
import { PacedSide } from './paced-side.ts'
import type { Surroundings } from '../process.ts'
import type { Asking } from './side.ts'
import { draft, lookup, type House } from '../tenants.ts'

const LARGEST = 40
/** Every item of one batch is read in one answer. */
const PAGE = 1_000
const TRY_AGAIN_MS = 5_000

interface Item {
  readonly data: object
  readonly legs: readonly Leg[]
}

interface Made {
  readonly request: Request
  /** Marks of its items, in order. */
  readonly names: readonly string[]
}

export type NewBatch = readonly [operation: string, items: readonly Item[]]

/** Creates batches whose items carry marks, and compares them with the chain at the end. */
export class Batches {
  /** Requested batches, by the marks of their items. */
  readonly made: Made[] = []
  readonly #open = new OpenRecords(isOpen)
  readonly #around: Surroundings
  readonly #clients: Clients
  readonly #marks: Marks
  #number = 0
  #isStopping = false

  constructor(around: Surroundings, clients: Clients, marks: Marks) {
    this.#around = around
    this.#clients = clients
    this.#marks = marks
  }

  get isBusy(): boolean {
    return this.#open.size > 0
  }

  async create({ organization }: House, [operation, items]: NewBatch, stopOnFailure: boolean): Promise<Made> {
    const number = (this.#number += 1)
    const state: { request?: Request } = {}
    const most = (): number => (state.request?.state === 'refused' ? 0 : 1)
    const names = items.map((_, index) => `b${number}.${index}`)
    const shownItems = items.map(({ data, legs }, index) => ({
      ...data,
      memo: this.#marks.add(names[index]!, { kind: 'item of a batch', legs, most }),
    }))
    const itemData = { operation, items: shownItems, stopOnFailure }
    const request = await this.#clients.ask((ask) => ({
      ...draft(organization, `batch of ${operation}`, createBatch, { itemData }),
      keyId: `key of ${organization.name} #r${ask};`,
    }))
    state.request = request
    const batch = { request, names }
    this.made.push(batch)
    return batch
  }

  opened(engine: Engine): void {
    this.#open.opened(engine)
  }

  committed(changes: readonly Change[]): void {
    this.#open.committed(changes)
  }

  /** Cancels batches that wait for approvals at the end. */
  stop(): void {
    if (this.#isStopping) return
    this.#isStopping = true
    this.#cancelWaiting()
  }

  #cancelWaiting(): void {
    for (const { id, tenant, value, context } of this.#open.all) {
      const organization = { tenant, name: (context as { readonly organization: string }).organization }
      if (value === 'prepared')
        void this.#clients.ask(draft(organization, 'cancel batch', cancelBatch, { itemData: { offchainId: id } }))
    }
    this.#around.time.plan(TRY_AGAIN_MS, () => this.#cancelWaiting())
  }

  async auditAtRest(ask: Asking): Promise<void> {
    for (const { request, names } of this.made) {
      const { organization, state, body } = request
      const landed = names.filter((name) => this.#marks.standing(name).length > 0)
      if (state === 'refused' && landed.length > 0)
        this.#around.violated('refused and landed', `${request.code ?? ''}: ${landed.join(', ')}`)
      if (state !== 'answered') continue
      const id = offchainIdOf(body, 'newBatch')
      await this.#auditOne(ask, organization, { id, names })
    }
  }

  async #auditOne(ask: Asking, organization: Organization, { id, names }: { id: string; names: readonly string[] }) {
    const batch = await ask(organization, batchDetails, { itemData: { offchainId: id } })
    const filter = [{ fieldName: 'batchOffchainId', filterValues: [{ filterType: 'EQUALS', valueString: id }] }]
    const sort = [{ fieldName: 'index', sortDirection: 'ASC' }]
    const { items } = (await ask(organization, fetchBatchItems, {
      itemQuery: { filter, sort, limit: PAGE },
    })) as unknown as { readonly items: readonly { readonly status: string }[] }
    const doneCount = items.filter(({ status }) => status === 'DONE').length
    if (items.length !== names.length || doneCount !== batch['doneCount'])
      this.#around.violated(
        'items of a batch lost',
        `batch ${id}: ${items.length} of ${names.length}, ${doneCount} done`,
      )
    for (const [index, { status }] of items.entries()) {
      const landed = this.#marks.standing(names[index]!).length
      if (landed !== (status === 'DONE' ? 1 : 0))
        this.#around.violated('item differs from the chain', `${names[index]} is ${status}, and landed ${landed} times`)
    }
  }
}

export class BatchSide extends PacedSide {
  readonly #chain: SimulatedChain
  readonly #batches: Batches

  constructor(around: Surroundings, clients: Clients, { chain, batches }: { chain: SimulatedChain; batches: Batches }) {
    super(around, clients, { name: 'batches', mostOpen: 3, betweenMs: [3_000, 25_000] })
    this.#chain = chain
    this.#batches = batches
  }

  override get isBusy(): boolean {
    return super.isBusy || this.#batches.isBusy
  }

  protected async work(): Promise<void> {
    const house = this.random.pick(this.houses)
    const { request } = await this.#batches.create(house, this.#wanted(house), this.random.chance(0.2))
    if (request.state !== 'answered') return
    const itemData = { offchainId: offchainIdOf(request.body, 'newBatch') }
    const change = async (kind: string, write: Write<never>): Promise<void> => {
      await this.pause(0, 20_000)
      if (this.isRunning) await this.clients.ask(draft(house.organization, kind, write, { itemData }))
    }
    if (this.random.chance(0.2)) await change('cancel batch', cancelBatch)
    if (this.random.chance(0.4)) await change('retry batch', retryBatch)
  }

  opened(engine: Engine): void {
    this.#batches.opened(engine)
  }

  committed(changes: readonly Change[]): void {
    this.#batches.committed(changes)
  }

  override stop(): void {
    super.stop()
    this.#batches.stop()
  }

  async auditAtRest(_engine: Engine, ask: Asking): Promise<void> {
    await this.#batches.auditAtRest(ask)
  }

  #wanted(house: House): NewBatch {
    const count = 1 + this.random.below(this.random.chance(0.3) ? LARGEST : 8)
    const open = house.positions.filter(({ closing }) => !closing)
    const times = <T>(item: () => T): T[] => Array.from({ length: count }, item)
    switch (open.length === 0 ? 'lamports' : this.random.weighted({ lamports: 3, tokens: 2, mint: 2 })) {
      case 'tokens': {
        const source = this.random.pick(open)
        const targets = open.filter((each) => each !== source && each.instrument === source.instrument)
        if (targets.length === 0) return ['MINT', times(() => this.#minted(source))]
        return [
          'TRANSFER',
          times(() => {
            const [target, amount] = [this.random.pick(targets), BigInt(1 + this.random.below(500))]
            return {
              data: {
                source: { position: lookup(source) },
                destination: { position: lookup(target) },
                lamports: String(amount),
              },
              legs: movement('tokens', source.onchainId, target.onchainId, amount),
            }
          }),
        ]
      }
      case 'mint':
        return ['MINT', times(() => this.#minted(this.random.pick(open)))]
      default:
        return ['TRANSFER_NETWORK_CURRENCY', times(() => this.#paid(house))]
    }
  }

  #minted(position: { readonly offchainId: string; readonly onchainId: string }): Item {
    const amount = BigInt(1 + this.random.below(1_000))
    return {
      data: { destination: { position: { offchainId: position.offchainId } }, lamports: String(amount) },
      legs: [{ address: position.onchainId, asset: 'tokens', amount }],
    }
  }

  #paid({ wallets }: House): Item {
    const [source, destination] = [this.random.pick(wallets.slice(1)), wallets[0]!]
    const amount = BigInt(1 + this.random.below(this.random.chance(0.1) ? 5_000_000 : 50_000))
    return {
      data: { source: lookup(source), destination: lookup(destination), lamports: String(amount) },
      legs: movement('lamports', source.onchainId, destination.onchainId, amount),
    }
  }
}

export function movement(asset: Leg['asset'], from: string, to: string, amount: bigint): Leg[] {
  return [
    { address: from, asset, amount: -amount },
    { address: to, asset, amount },
  ]
}

export function offchainIdOf(body: JsonObject | null, member: string): string {
  const { offchainId } = (body?.[member] ?? {}) as { readonly offchainId?: string }
  if (offchainId === undefined) throw new Error(`no ${member} in ${JSON.stringify(body)}`)
  return offchainId
}

function isOpen(state: RecordState): boolean {
  const batch = ofKind(state, 'batch')
  return batch !== undefined && (batch.context.endedAt === null || batch.context.sweep !== null)
}
