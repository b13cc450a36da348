// Schedules under faults: each occurrence lands at most once through crashes, downtime and clocks that jump, and the
// records of the occurrences equal the chain.
import type { Engine } from '../../../src/engine/engine.ts'
import type { Change } from '../../../src/engine/records/change.ts'
import { ofKind, type RecordState } from '../../../src/engine/records/record.ts'
import { createApiKey } from '../../../src/operations/admin/create-api-key.ts'
import { cancelSchedule, pauseSchedule, resumeSchedule } from '../../../src/operations/schedules/change-schedule.ts'
import { createSchedule } from '../../../src/operations/schedules/create-schedule.ts'
import { scheduleDetails } from '../../../src/operations/schedules/read.ts'
import { movement, offchainIdOf } from './batch-side.ts'
import type { Clients, Request } from '../clients.ts'
import type { Marks } from '../marks.ts'
import { OpenRecords } from '../open-records.ts'
import { PacedSide } from './paced-side.ts'
import type { Surroundings } from '../process.ts'
import type { Asking } from './side.ts'
import { draft, lookup, type House, type Ids, type Tenants } from '../tenants.ts'

const EVERY_MS = 60_000
/** The largest jump ahead of the wall clock of a world. */
const AHEAD_MS = 25_000
const TRY_AGAIN_MS = 5_000
const MAX_OF_A_WORLD = 12
const LAMPORTS_HAD = 1_000_000_000n

type Occurrence = RecordState<'occurrence'>

/** A counterparty that some occurrences pay. */
export type Payees = (house: House) => { readonly onchainId: string } | undefined

export class ScheduleSide extends PacedSide {
  readonly #marks: Marks
  readonly #payees: Payees
  readonly #open = new OpenRecords(isOpen)
  readonly #creators = new Map<House, { readonly keyId: string; readonly payer: Ids }>()
  readonly #made: { readonly name: string; readonly request: Request }[] = []
  /** Attempted occurrences, by schedule and number. */
  readonly #attempts = new Map<string, Map<number, Occurrence>>()
  /** Requested schedules: there may be two at a time, and each has its own name. */
  #number = 0
  #isStopping = false

  constructor(around: Surroundings, clients: Clients, { marks, payees }: { marks: Marks; payees: Payees }) {
    super(around, clients, { name: 'schedules', mostOpen: 2, betweenMs: [4_000, 40_000] })
    this.#marks = marks
    this.#payees = payees
  }

  override get isBusy(): boolean {
    return super.isBusy || this.#open.size > 0
  }

  override async build(tenants: Tenants): Promise<void> {
    await super.build(tenants)
    for (const house of this.houses) {
      const { organization } = house
      const itemData = { organizationExternalId: organization.name, name: 'scheduler', roles: ['POSITIONS_WRITE'] }
      const { body } = await tenants.ask(organization, 'createApiKey', createApiKey, { itemData })
      const payer = await tenants.account(organization, { networkCurrencyDebitLimits: [] }, LAMPORTS_HAD)
      this.#creators.set(house, { ...(body as { readonly keyId: string }), payer })
    }
  }

  protected async work(): Promise<void> {
    const house = this.random.pick(this.houses)
    const creator = this.#creators.get(house)
    if (creator === undefined || this.#number >= MAX_OF_A_WORLD) return
    const { organization } = house
    const name = `s${(this.#number += 1)}`
    const amount = BigInt(1_000 + this.random.below(100_000))
    const payee = this.random.chance(0.4) ? this.#payees(house) : undefined
    const destination = payee ?? house.wallets[0]!
    const startAtMs = this.around.time.wallMs + this.random.between(0, 30_000)
    const legs = movement('lamports', creator.payer.onchainId, destination.onchainId, amount)
    const most = (): number =>
      Math.max(0, Math.floor((this.around.time.wallMs - this.around.time.skewMs + AHEAD_MS - startAtMs) / EVERY_MS) + 1)
    const memo = this.#marks.add(name, { kind: 'occurrence of a schedule', legs, most })
    const to = payee === undefined ? lookup(house.wallets[0]!) : { onchainId: payee.onchainId, offPlatform: true }
    const itemData = {
      operation: 'TRANSFER_NETWORK_CURRENCY',
      itemData: { source: lookup(creator.payer), destination: to, lamports: String(amount), memo },
      startAt: new Date(startAtMs).toISOString(),
      every: { code: 'MINUTES', unit: 1 },
      onMissed: this.random.pick(['RUN_ONCE', 'SKIP'] as const),
    }
    const request = await this.clients.ask({
      ...draft(organization, 'create schedule', createSchedule, { itemData }),
      keyId: creator.keyId,
    })
    this.#made.push({ name, request })
    if (request.state !== 'answered' || !this.random.chance(0.4)) return
    const target = { itemData: { offchainId: offchainIdOf(request.body, 'newSchedule') } }
    for (const [kind, write] of [
      ['pause schedule', pauseSchedule],
      ['resume schedule', resumeSchedule],
    ] as const) {
      await this.pause(10_000, 90_000)
      if (this.isRunning) await this.clients.ask(draft(organization, kind, write, target))
    }
  }

  opened(engine: Engine): void {
    this.#open.opened(engine)
    // A write that a crash interrupted may be on disk, without an acknowledgement.
    for (const { head } of engine.directory.entries()) this.#note(head)
  }

  committed(changes: readonly Change[]): void {
    this.#open.committed(changes)
    for (const { next } of changes) this.#note(next)
  }

  #note(state: RecordState): void {
    const occurrence = ofKind(state, 'occurrence')
    if (occurrence === undefined || occurrence.value === 'missed') return
    const { scheduleId, number } = occurrence.context
    const all = this.#attempts.get(scheduleId) ?? new Map<number, Occurrence>()
    this.#attempts.set(scheduleId, all)
    const before = all.get(number)
    all.set(number, occurrence)
    if (before !== undefined && before.id !== occurrence.id)
      this.around.violated('occurrence of a schedule happened twice', `schedule ${scheduleId}, occurrence ${number}`)
  }

  override stop(): void {
    super.stop()
    if (this.#isStopping) return
    this.#isStopping = true
    this.#cancelAll()
  }

  #cancelAll(): void {
    for (const state of this.#open.all) {
      const schedule = ofKind(state, 'schedule')
      if (schedule === undefined) continue
      const organization = { tenant: schedule.tenant, name: schedule.context.organization }
      const itemData = { offchainId: schedule.id }
      void this.clients.ask(draft(organization, 'cancel schedule', cancelSchedule, { itemData }))
    }
    if (this.#open.size > 0 || this.clients.open > 0) this.around.time.plan(TRY_AGAIN_MS, () => this.#cancelAll())
  }

  async auditAtRest(_engine: Engine, ask: Asking): Promise<void> {
    for (const { name, request } of this.#made) {
      if (request.state !== 'answered') continue
      const id = offchainIdOf(request.body, 'newSchedule')
      const details = await ask(request.organization, scheduleDetails, { itemData: { offchainId: id } })
      const attempts = [...(this.#attempts.get(id)?.values() ?? [])]
      const doneCount = attempts.filter(({ value }) => value === 'done').length
      const landedCount = this.#marks.standing(name).length
      if (doneCount !== landedCount)
        this.around.violated(
          'occurrences differ from the chain',
          `${name}: ${doneCount} are done, ${landedCount} landed`,
        )
      if (details['runsCount'] !== attempts.length)
        this.around.violated(
          'occurrences of a schedule lost',
          `${name}: ${JSON.stringify(details['runsCount'])} by the schedule, ${attempts.length} on record`,
        )
    }
  }
}

function isOpen({ kind, value }: RecordState): boolean {
  return kind === 'schedule' ? value === 'active' || value === 'paused' : kind === 'occurrence' && value === 'underWay'
}
