// The switches of an administrator under faults: accounts and organizations are frozen, submission lanes are suspended,
// and all switches are reset. Nothing is signed with a frozen key; nothing that was signed while a lane was suspended
// is sent before it is resumed.
import type { Engine } from '../../../src/engine/engine.ts'
import type { Change } from '../../../src/engine/records/change.ts'
import { isHolding, ofKind, type RecordState } from '../../../src/engine/records/record.ts'
import { freeze } from '../../../src/operations/admin/freeze.ts'
import type { Write } from '../../../src/operations/context/platform.ts'
import { resumeLanes } from '../../../src/operations/admin/resume-lanes.ts'
import { suspendLanes } from '../../../src/operations/admin/suspend-lanes.ts'
import { unfreeze } from '../../../src/operations/admin/unfreeze.ts'
import type { SimulatedChain } from '../chain.ts'
import type { Clients, Organization } from '../clients.ts'
import { landingOf, type Landing } from '../landings.ts'
import type { Surroundings } from '../process.ts'
import { PacedSide } from './paced-side.ts'
import { draft, lookup } from '../tenants.ts'

type Transaction = RecordState<'transaction'>
type Suspension = RecordState<'suspension'>

/** A transaction as the auditor needs it when it lands. */
interface Signed {
  readonly id: string
  readonly tenant: string
  readonly organization: string
  readonly lane: string
  /** Number of the commit that signed it. */
  readonly commit: number
}

interface Suspended {
  readonly scope: Suspension['context']['scope']
  readonly since: number
}

const SYSTEM: Organization = { tenant: 'SYSTEM', name: 'SYSTEM' }

export class SwitchSide extends PacedSide {
  #commits = 0
  /** Addresses of frozen accounts and names of frozen organizations, as committed. */
  #frozen = new Set<string>()
  readonly #organizations = new Map<string, string>()
  readonly #signed = new Map<string, Signed>()
  /** Ids of transactions that were answered unsigned at first: clients may have been given their bytes. */
  readonly #prepared = new Set<string>()
  readonly #suspended = new Map<string, Suspended>()

  constructor(around: Surroundings, chain: SimulatedChain, clients: Clients) {
    super(around, clients, { name: 'switches', mostOpen: 1, betweenMs: [5_000, 40_000] })
    chain.onLanded((transaction) => this.#landed(landingOf(transaction)))
  }

  protected async work(): Promise<void> {
    const house = this.random.pick(this.houses)
    const { organization } = house
    switch (
      this.random.weighted({
        freezeAccount: 4,
        freezeOrganization: 1,
        suspendLane: 2,
        suspendOrganization: 2,
        suspendAll: 0.5,
      })
    ) {
      case 'freezeAccount': {
        const account = this.random.pick([...house.wallets, house.sponsor, house.authority, house.feePayer])
        await this.#onAndOff(organization, ['admin freeze', freeze], ['admin unfreeze', unfreeze], {
          account: lookup(account),
        })
        break
      }
      case 'freezeOrganization': {
        const itemData = { organizationExternalId: organization.name }
        await this.#onAndOff(organization, ['admin freeze', freeze], ['admin unfreeze', unfreeze], itemData)
        break
      }
      case 'suspendLane':
        await this.#suspend(organization, { account: lookup(this.random.pick([house.feePayer, house.sponsor])) })
        break
      case 'suspendOrganization':
        await this.#suspend(organization, { organizationExternalId: organization.name })
        break
      case 'suspendAll':
        await this.#suspend(SYSTEM, {})
    }
  }

  async #suspend(organization: Organization, itemData: object): Promise<void> {
    await this.#onAndOff(organization, ['suspend', suspendLanes], ['resume', resumeLanes], itemData)
  }

  /** Sets a switch, waits, and resets it until the service has confirmed that. */
  async #onAndOff(
    organization: Organization,
    on: readonly [string, Write<never>],
    off: readonly [string, Write<never>],
    itemData: object,
  ): Promise<void> {
    if ((await this.clients.ask(draft(organization, ...on, { itemData }))).state === 'refused') return
    await this.pause(500, 15_000)
    // From the request on the service may send again.
    if (off[0] === 'resume') this.#suspended.clear()
    while ((await this.clients.ask(draft(organization, ...off, { itemData }))).state === 'given up')
      await this.pause(1_000, 1_000)
  }

  opened(engine: Engine): void {
    this.#learn([...engine.directory.entries()].map(({ head }) => head))
  }

  /** Those that are frozen before and after a batch were frozen when its units of work ran. */
  committed(changes: readonly Change[]): void {
    this.#commits += 1
    const before = new Set(this.#frozen)
    this.#learn(changes.map(({ next }) => next))
    for (const { previous, next } of changes) {
      const transaction = ofKind(next, 'transaction')
      if (transaction !== undefined) this.#follow(ofKind(previous, 'transaction'), transaction, before)
    }
  }

  #learn(records: readonly RecordState[]): void {
    for (const record of records) {
      const organization = ofKind(record, 'organization')
      if (organization !== undefined)
        this.#mark(`organization ${organization.context.externalId}`, record.value === 'frozen')
      else if (isHolding(record) && record.context.managed) {
        const { address, frozenByOperator } = record.context
        this.#organizations.set(address, record.context.organization)
        this.#mark(address, frozenByOperator)
      }
      const suspension = ofKind(record, 'suspension')
      if (suspension?.value === 'resumed') this.#suspended.delete(suspension.id)
      else if (suspension !== undefined && !this.#suspended.has(suspension.id) && this.#commits > 0) {
        this.#suspended.set(suspension.id, { scope: suspension.context.scope, since: this.#commits })
      }
    }
  }

  #mark(name: string, isFrozen: boolean): void {
    if (isFrozen) this.#frozen.add(name)
    else this.#frozen.delete(name)
  }

  #follow(
    previous: Transaction | undefined,
    { id, tenant, value, context }: Transaction,
    before: ReadonlySet<string>,
  ): void {
    if (value === 'prepared') this.#prepared.add(id)
    if (!context.ourSignature || previous?.context.ourSignature === true) return
    const { fixed } = context
    const lane = fixed.nonceAccount?.address ?? fixed.feePayer.address
    this.#signed.set(fixed.messageHash, { id, tenant, organization: fixed.organization, lane, commit: this.#commits })
    for (const { address } of fixed.signers) {
      const names = [address, `organization ${this.#organizations.get(address) ?? ''}`]
      const frozenName = names.find((name) => before.has(name) && this.#frozen.has(name))
      if (frozenName !== undefined) this.around.violated('signed with a frozen key', `transaction ${id}: ${frozenName}`)
    }
  }

  #landed({ hash, signature }: Landing): void {
    const signed = this.#signed.get(hash)
    if (signed === undefined || this.#prepared.has(signed.id)) return
    for (const { scope, since } of this.#suspended.values()) {
      const { tenant, organization, lane } = scope
      const isHeld =
        (tenant ?? signed.tenant) === signed.tenant &&
        (organization ?? signed.organization) === signed.organization &&
        (lane ?? signed.lane) === signed.lane
      if (isHeld && signed.commit > since)
        this.around.violated('sent while its lane was suspended', `${signature}: ${JSON.stringify(scope)}`)
    }
  }
}
