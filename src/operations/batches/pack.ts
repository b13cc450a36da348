// Makes items of a batch together. Each item runs its own operation up to the draft of its transaction; the drafts are
// collected, and those that fit share one transaction. A refusal by the operation of an item concerns that item alone;
// after a refusal of the shared transaction, its items are tried in smaller parts.
import { MAX_COMPUTE_UNITS } from '../../solana/instructions/compute-budget.ts'
import type { Approval } from '../../../machines/approval.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Call, JsonObject, Outcome } from '../../contract/call.ts'
import type { Refusal } from '../../contract/refusal.ts'
import type { ChainTransactionConfig } from '../../contract/values/chain-config.ts'
import type { Platform, Write, Context } from '../context/platform.ts'
import { shareMints } from '../lookup/chain-mints.ts'
import { isRetryable, operationResult, type OperationFailure } from '../context/as-refusal.ts'
import { runAttempts } from '../transactions/attempt.ts'
import type { Budget } from '../transactions/budget.ts'
import type { Draft } from '../transactions/draft.ts'
import { TransactionDryRun, type DryRunFindings } from '../transactions/dry-run.ts'
import type { SharedCall } from '../transactions/shared-call.ts'
import { transact } from '../transactions/transact.ts'
import { exclusiveAddresses, mergeDrafts, unitsOf } from './merge.ts'
import { checkAsApproved, intentOfDraft } from './intent.ts'
import { isAlone } from './operations.ts'

export interface PackedItem {
  readonly data: JsonObject
  readonly externalReference: string | null
  /** The intent to which an approval of the batch is bound. Absent: the item is bound to none. */
  readonly intent?: string
  /** True: the item does not share its transaction. */
  readonly alone?: boolean
}

export type ItemResult<Item> =
  | { readonly item: Item; readonly ok: true; readonly members: JsonObject; readonly intent?: string }
  | { readonly item: Item; readonly ok: false; readonly failure: OperationFailure }

export interface PackRequest<Item extends PackedItem> {
  readonly write: Write<never>
  readonly config: ChainTransactionConfig | undefined
  readonly items: readonly Item[]
  /** The approval of the batch. */
  readonly approval?: Approval | null
  /** True for operations that freeze or thaw. */
  readonly isSwitch: boolean
  /**
   * True: no item is made while one before it is not. The call makes items without a transaction, and then at most one
   * transaction; an item is refused only if all before it have been made without one.
   */
  readonly inOrder?: boolean
  /** See `SharedCall`. */
  readonly take?: (item: Item, name: string, taken: () => Refusal) => void
  /**
   * Runs inside the unit of work that executes the items. `transactionId` is null if no transaction is needed. Returns
   * false if the items may no longer be executed: the unit of work is then discarded.
   */
  readonly begin: (unit: UnitOfWork, made: readonly MadeItem<Item>[], transactionId: string | null) => boolean
}

export interface MadeItem<Item> {
  readonly item: Item
  readonly members: JsonObject
}

export interface PackResult<Item> {
  readonly made: readonly ItemResult<Item>[]
  /** Items for which `begin` returned false. */
  readonly left: readonly Item[]
  /** Items whose turn has not come, if they are made in order. */
  readonly later: readonly Item[]
  /** Findings of a dry run, one for each transaction. */
  readonly findings: readonly DryRunFindings[]
  /** Ids of the transactions made. */
  readonly transactions: readonly string[]
  /**
   * Largest number of items that fitted into a transaction when not all of them did; null: all fitted, or every
   * transaction was refused.
   */
  readonly fit: number | null
}

type Plan = (budget: Budget) => Draft

interface Joined {
  readonly plan: Plan
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

/** An item whose operation is running. */
class Member<Item extends PackedItem> {
  readonly item: Item
  joined: Joined | null = null
  result: ItemResult<Item> | null = null
  /** Intent of the latest plan. */
  intent: string | undefined
  #wake: () => void = () => undefined

  constructor(item: Item) {
    this.item = item
  }

  run(operation: Promise<Outcome>): void {
    void operationResult(operation).then((ended) => {
      const { item, intent } = this
      if (!ended.ok) this.#end({ item, ok: false, failure: ended })
      else this.#end({ item, ok: true, members: ended.result.members, ...(intent === undefined ? {} : { intent }) })
    })
  }

  join(plan: Plan): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.joined = null
      }
      this.joined = {
        plan,
        resolve(outcome) {
          leave()
          resolve(outcome)
        },
        reject(error) {
          leave()
          reject(error instanceof Error ? error : new Error(String(error)))
        },
      }
      this.#wake()
    })
  }

  /** Resolves when the item has joined a transaction, or its operation has ended. */
  async settled(): Promise<void> {
    if (this.joined === null && this.result === null)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
  }

  #end(result: ItemResult<Item>): void {
    this.result = result
    this.#wake()
  }
}

export async function makePack<Item extends PackedItem>(
  context: Context,
  request: PackRequest<Item>,
): Promise<PackResult<Item>> {
  return await new Pack(context, request).run()
}

class Pack<Item extends PackedItem> {
  readonly #platform: Platform
  readonly #call: Call
  readonly #request: PackRequest<Item>
  readonly #members: readonly Member<Item>[]
  readonly #inOrder: boolean
  /** The members whose operations have been started, in order. */
  readonly #started: Member<Item>[] = []
  readonly #findings: DryRunFindings[] = []
  readonly #transactions: string[] = []
  readonly #left = new Set<Item>()
  #most: number
  #largest = 0
  #isLimited = false
  /** Items planned in the last attempt, in order, and the item whose plan was refused. */
  #planned: { readonly member: Member<Item>; readonly draft: Draft }[] = []
  #refused: Member<Item> | null = null

  constructor({ platform, call }: Context, request: PackRequest<Item>) {
    this.#platform = platform
    this.#call = call
    this.#request = request
    this.#members = request.items.map((item) => new Member(item))
    this.#inOrder = request.inOrder ?? false
    this.#most = request.items.length
  }

  async run(): Promise<PackResult<Item>> {
    if (this.#inOrder) await this.#startInOrder()
    else for (const member of this.#members) this.#start(member)
    for (;;) {
      await Promise.all(this.#started.map((member) => member.settled()))
      const joined = this.#joined()
      if (joined.length === 0) break
      await this.#make(joined)
      // Lets operations that got a result continue before they are checked again.
      await Promise.resolve()
    }
    const later = this.#later()
    const isOver = ({ item }: Member<Item>): boolean => !this.#left.has(item) && !later.has(item)
    const made = this.#started.filter(isOver).map(({ result }) => result!)
    for (const { joined } of this.#started) joined?.reject(new Error('the turn of the item has not come'))
    return {
      made,
      left: [...this.#left].filter((item) => !later.has(item)),
      later: [...later],
      findings: this.#findings,
      transactions: this.#transactions,
      fit: this.#isLimited && this.#largest > 0 ? this.#largest : null,
    }
  }

  /** One operation after the other, up to one that neither made its item nor may share a transaction. */
  async #startInOrder(): Promise<void> {
    for (const member of this.#members) {
      this.#start(member)
      await member.settled()
      if (member.joined === null ? !this.#isMade(member) : isAloneOf(member)) return
    }
  }

  /** The members that the next transaction may contain, in order. */
  #joined(): Member<Item>[] {
    if (!this.#inOrder) return this.#started.filter(({ joined }) => joined !== null)
    if (this.#transactions.length > 0) return []
    const next = this.#started.filter((member) => !this.#isMade(member))
    const end = next.findIndex(({ joined }) => joined === null)
    return end === -1 ? next : next.slice(0, end)
  }

  /** The items that are not made, except the first if the call has made all before it. */
  #later(): ReadonlySet<Item> {
    if (!this.#inOrder) return new Set()
    const items = this.#members.filter((member) => !this.#isMade(member)).map(({ item }) => item)
    return new Set(this.#transactions.length > 0 ? items : items.slice(1))
  }

  #isMade({ item, result }: Member<Item>): boolean {
    return result?.ok === true && !this.#left.has(item)
  }

  #start(member: Member<Item>): void {
    this.#started.push(member)
    const { write, config, take } = this.#request
    const { data, externalReference } = member.item
    const call: SharedCall = {
      ...this.#call,
      ...(externalReference === null ? {} : { externalReference }),
      join: (plan) => member.join(plan),
      within: (unit, { members }) => this.#begin(unit, [{ item: member.item, members }], null),
      ...(take === undefined ? {} : { take: (name, taken) => take(member.item, name, taken) }),
    }
    const body = { itemData: data, ...(config === undefined ? {} : { chainTransactionConfig: config }) }
    shareMints(this.#call, call)
    member.run(runAttempts(this.#platform, call, () => write({ platform: this.#platform, call }, body as never)))
  }

  async #make(joined: readonly Member<Item>[]): Promise<void> {
    this.#planned = []
    this.#refused = null
    const made = await operationResult(
      transact({ platform: this.#platform, call: this.#callFor() }, this.#request.config, (budget) =>
        this.#plan(joined, budget),
      ),
    )
    if (!made.ok) {
      this.#refuse(joined, made)
      return
    }
    const { dryRun, transactions } = made.result
    if (dryRun instanceof TransactionDryRun) this.#findings.push(dryRun.findings)
    if (!this.#planned.some(({ member: { item } }) => this.#left.has(item))) this.#transactions.push(...transactions)
    this.#answer(transactions)
  }

  /** Plans as many items as may share a transaction. */
  #plan(joined: readonly Member<Item>[], budget: Budget): Draft {
    const taken = new Set<string>()
    let units = 0
    this.#planned = []
    this.#refused = null
    for (const member of joined) {
      const alone = isAloneOf(member)
      if (this.#planned.length >= this.#most || (alone && this.#planned.length > 0)) break
      this.#refused = member
      const draft = member.joined!.plan(budget)
      member.intent = intentOfDraft(draft)
      if (member.item.intent !== undefined) checkAsApproved(member.item.intent, member.intent)
      this.#refused = null
      const own = exclusiveAddresses(draft, this.#request.isSwitch)
      units += unitsOf(draft)
      if (this.#planned.length > 0 && (units > MAX_COMPUTE_UNITS || own.some((address) => taken.has(address)))) break
      for (const address of own) taken.add(address)
      this.#planned.push({ member, draft })
      if (alone) break
    }
    const merged = mergeDrafts(
      this.#planned.map(({ draft }) => draft),
      this.#planned.map(({ member: { item } }) => item.externalReference),
    )
    const { approval = null } = this.#request
    return approval !== null && this.#planned.every(({ member: { item } }) => item.intent !== undefined)
      ? { ...merged, approval }
      : merged
  }

  #begin(unit: UnitOfWork, made: readonly MadeItem<Item>[], transactionId: string | null): void {
    const isTurn = transactionId !== null || !this.#inOrder || this.#isTurnOf(made)
    if (isTurn && this.#request.begin(unit, made, transactionId)) return
    unit.discard()
    for (const { item } of made) this.#left.add(item)
  }

  /** True if every item before the first of these is made. */
  #isTurnOf([first]: readonly MadeItem<Item>[]): boolean {
    const before = this.#members.slice(
      0,
      this.#members.findIndex(({ item }) => item === first?.item),
    )
    return before.every((member) => this.#isMade(member))
  }

  /** The call of the shared transaction. Its items are known only after planning. */
  #callFor(): SharedCall {
    return {
      ...this.#call,
      within: (unit, { transactions }) => {
        const made = this.#planned.map(({ member, draft }) => ({ item: member.item, members: draft.members ?? {} }))
        this.#begin(unit, made, transactions[0] ?? null)
      },
    }
  }

  #answer(transactions: readonly string[]): void {
    this.#largest = Math.max(this.#largest, this.#planned.length)
    for (const { member, draft } of this.#planned)
      member.joined?.resolve({ members: draft.members ?? {}, transactions, shape: 'bare', awaited: 'signed' })
    this.#most = Math.max(this.#most, this.#largest)
  }

  #refuse(joined: readonly Member<Item>[], failure: OperationFailure): void {
    const { error } = failure
    if (this.#refused !== null) {
      this.#refused.joined?.reject(error)
      return
    }
    const count = this.#planned.length
    // The transaction was refused before any item was planned, e.g. for lack of a blockhash: all items get this
    // refusal.
    if (count === 0) for (const member of joined) member.joined?.reject(error)
    if (count > 1 && !isPassing(failure)) {
      this.#isLimited ||= isTooLarge(failure)
      this.#most = isTooLarge(failure) ? count - Math.ceil(count / 8) : Math.ceil(count / 2)
      return
    }
    for (const { member } of this.#planned) member.joined?.reject(error)
  }
}

function isAloneOf<Item extends PackedItem>({ item }: Member<Item>): boolean {
  return item.alone === true || isAlone(item.data)
}

/**
 * True if a later attempt with the same items may succeed. A failed simulation is retryable for a single request, but
 * here one of the items causes it: retrying would keep the other items of the transaction waiting.
 */
export function isPassing(failure: OperationFailure): boolean {
  return isRetryable(failure) && failure.refusal?.problems.some(({ code }) => code === 'SIMULATION_FAILED') !== true
}

function isTooLarge({ refusal }: OperationFailure): boolean {
  return refusal?.problems.some(({ code }) => code === 'TRANSACTION_TOO_LARGE') === true
}
