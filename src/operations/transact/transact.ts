// The one way a transaction is made: compile, judge, reserve, sign and hand to the store in one synchronous stretch; to the lane
// only once it is durable. Whatever is refused here is refused before a key was used, and leaves nothing.
import type { LookupTable } from '../../chain/message.ts'
import { classify } from '../../chain/table/classify.ts'
import type { Effect } from '../../chain/table/effect.ts'
import { lentSigners } from '../../chain/table/foreign.ts'
import type { Entry } from '../../engine/entry.ts'
import { addressKey } from '../../engine/index-keys.ts'
import { isHolding } from '../../engine/record.ts'
import type { UnitOfWork } from '../../engine/unit-of-work.ts'
import type { Call, Outcome } from '../call.ts'
import { rememberOutcome } from '../idempotency.ts'
import type { ChainTransactionConfig } from '../input.ts'
import { freeNonce, isDurable, nonceAtHand } from '../nonces/free.ts'
import { limitingOf } from '../limits/again.ts'
import { assess, type Verdict } from '../limits/assess.ts'
import { bounding, decide } from '../limits/enforce.ts'
import { shownLimit } from '../limits/exceeded.ts'
import { intentOf } from '../limits/intent.ts'
import type { ClusterAccess, Platform } from '../platform.ts'
import { withKnownFunds } from '../reconcile.ts'
import { badRequest, forbidden } from '../refusal.ts'
import { approveAll } from '../countersign/approve-all.ts'
import { gather } from '../signing/gather.ts'
import { Books } from './books.ts'
import { budgetOf, type Budget } from './budget.ts'
import { compose, type Composed } from './compose.ts'
import type { Draft } from './draft.ts'
import { DryRun } from './dry-run.ts'
import { checkEscrowsLeftAlone } from './escrows.ts'
import { judgedOn } from './judged.ts'
import { withKnownAccounts, type KnownAccounts } from './known-accounts.ts'
import { launch, reserve, takePlace, transactionOf } from './launch.ts'
import { ANY_BLOCKHASH, underBlockhash, type Lifetime } from './lifetime.ts'
import { fixedPart, referTo } from './record.ts'
import { isUndecided, NeedsRehearsal, rehearsed } from './rehearsal.ts'
import { checkDebitKeys } from './rights.ts'
import { actsBeyondFees, canSign, requiredSigners, type IsMade, type RequiredSigner } from './signers.ts'
import { tablesAtHand } from './tables.ts'

/**
 * Makes the transaction that `draw` wants. `draw` runs inside the stretch, so what it resolved is what is signed; it runs again
 * when the books turn out to be behind the chain.
 */
export async function transact(
  platform: Platform,
  call: Call,
  config: ChainTransactionConfig | undefined,
  draw: (budget: Budget) => Draft,
): Promise<Outcome> {
  const cluster = clusterOf(platform, call)
  const durable = isDurable(config)
  if (durable) await nonceAtHand(platform, call)
  const tables = await tablesAtHand(platform, call, config)
  const budget = await budgetOf(config, cluster, () => trial(platform, call, config, draw, tables))
  return await withKnownAccounts(platform, call, (chain) =>
    withKnownFunds(platform, call.cluster, async () => {
      const blockhash = durable ? null : (cluster.currentBlockhash() ?? (await cluster.freshBlockhash()))
      return await rehearsed(cluster, async (isRehearsed) => {
        const { result, durable: written } = platform.engine.transact((unit) => {
          const draft = draw(budget)
          const lifetime = draft.lifetime ?? (blockhash === null ? freeNonce(platform, call) : underBlockhash(blockhash))
          return stretch(platform, call, config, cluster, unit, draft, lifetime, budget, tables, isRehearsed, chain)
        })
        await written
        return result
      })
    }),
  )
}

/** The message as it would be, under any blockhash: for simulating and estimating only. */
function trial(
  platform: Platform,
  call: Call,
  config: ChainTransactionConfig | undefined,
  draw: (budget: Budget) => Draft,
  tables: readonly LookupTable[],
): Composed {
  const open = { unitLimit: null, unitPrice: 0n }
  const draft = draw(open)
  const lifetime = draft.lifetime ?? (isDurable(config) ? freeNonce(platform, call) : ANY_BLOCKHASH)
  return compose(platform, call, draft, config, lifetime, open, tables)
}

export function clusterOf(platform: Platform, call: Call): ClusterAccess {
  const cluster = platform.clusters.get(call.cluster)
  if (cluster === undefined) throw new Error(`cluster ${call.cluster} is not configured`)
  return cluster
}

function stretch(
  platform: Platform,
  call: Call,
  config: ChainTransactionConfig | undefined,
  cluster: ClusterAccess,
  unit: UnitOfWork,
  draft: Draft,
  lifetime: Lifetime,
  budget: Budget,
  tables: readonly LookupTable[],
  isRehearsed: boolean,
  chain: Pick<KnownAccounts, 'get'>,
): Outcome {
  const id = platform.ids()
  draft.prepare?.(unit, id)
  const composed = compose(platform, call, draft, config, lifetime, budget, tables)
  const { message, keys } = composed
  const effects = classify(message, keys)
  checkNoneRefused(effects)
  const { directory } = platform.engine
  const vouched = draft.adapter?.signs
  draft.adapter?.check(message, effects)
  checkEscrowsLeftAlone(directory, call.cluster, { effects, signers: message.signers }, vouched)
  const debitLists = checkDebitKeys(platform, call, effects, undefined, vouched)
  const { touched } = unit
  const isNew = (entry: Entry): boolean => touched.has(entry) && touched.get(entry) === undefined
  const { tenant, cluster: clusterId } = call
  const books = new Books({
    directory,
    tenant,
    cluster: clusterId,
    transactionId: id,
    signers: message.signers,
    rents: draft.rents ?? new Map(),
    isNew,
  })
  books.fee(draft.feePayer.address, composed.feeLamports)
  for (const effect of effects) books.take(effect)
  for (const address of draft.closes ?? []) books.retire(address)
  const isMade: IsMade = (address, associated = false, paidBy) =>
    draft.makes?.has(address) === true ||
    directory
      .find(addressKey(clusterId, address))
      .some((each) => isNew(each) || (associated && each.head.value === 'pending') || owesRentTo(each, tenant, paidBy))
  const acts = (address: string): boolean => actsBeyondFees(effects, address, isMade)
  const signers = requiredSigners(platform, call, draft, message.signers, acts)
  const at = new Date(platform.clock.now()).toISOString()
  const feePayer = referTo(platform, call, draft.feePayer.address)
  const rents = draft.rents ?? new Map<string, bigint>()
  const { seeds, exempt } = draft
  const limiting = { effects, isMade, rents, chain, ...(seeds === undefined ? {} : { seeds }), ...(exempt === undefined ? {} : { exempt }) }
  const now = platform.clock.now()
  const assessed = assess({ engine: platform.engine, tenant, cluster: clusterId, now, ...limiting })
  const adapter = draft.adapter === undefined ? undefined : { vouched: draft.adapter, transactionId: id }
  const fixed = fixedPart(platform, call, { ...composed, lifetime, feePayer, effects, books, rents, debits: assessed.debits, adapter }, at)
  const request = { transactionId: id, cluster: clusterId, home: tenant, asker: call, message, fixed, vouched, at, ...limiting }
  if (call.dryRun) {
    reserve(platform, unit, fixed.entries, draft.covered ?? true)
    approveAll(platform, unit, signers, request)
    throw dryRun(call, composed, signers, assessed.verdicts)
  }
  const wanted = {
    requesters: [call.caller.keyId],
    intent: intentOf(message, keys, effects),
    then: signers.every(canSign) ? 'SEND' : 'WAIT',
  } as const
  const { hold, limits } = decide(platform, assessed, wanted, null, now)
  // When a key or an approval is missing nothing is signed: the others follow once it is there.
  const ours = hold === null && signers.every(canSign)
  // What a price has decided is not left to whoever signs last, whenever he likes.
  if (adapter !== undefined && !ours && lifetime.nonce !== null)
    throw badRequest('NONCE_NOT_USABLE', 'a change of a loan that waits for a signature is made under a blockhash', '/chainTransactionConfig/messageLifetimeStrategy')
  // A nonce's value cannot be used in a simulation of the block that gave it; what is left to the chain is not tried either.
  const triable = ours && lifetime.nonce === null && budget.simulated !== true && (draft.covered ?? true)
  if (!isRehearsed && triable && isUndecided(directory, clusterId, effects)) throw new NeedsRehearsal(message.bytes)
  const again = ours ? undefined : limitingOf(limiting)
  const kept = again === undefined ? fixed : { ...fixed, limiting: again }
  const entry = unit.create('transaction', { tenant: call.tenant, cluster: call.cluster, id }, { fixed: kept })
  unit.also(call.tenant, { type: 'message', tenant: call.tenant, cluster: call.cluster, hash: composed.hash, transactionId: id })
  const outcome: Outcome = {
    members: draft.members ?? {},
    transactions: [id],
    shape: draft.shape,
    awaited: config?.commitmentConfig?.commitmentLevel ?? 'confirmed',
    ...(draft.plan === undefined ? {} : { plan: draft.plan }),
    ...draft.outcome,
  }
  rememberOutcome(call, unit, outcome)
  if (hold !== null) unit.tell<'transaction'>(entry, { type: 'command.hold', approval: hold, at })
  if (ours) takePlace(cluster, unit, transactionOf(entry))
  const none = signers.map(() => null)
  const gathered = gather(platform, unit, signers, () => ours, none, request)
  const judged = { ...judgedOn(platform, draft, budget, composed, lifetime, debitLists), ...(limits.length === 0 ? {} : { limits }) }
  launch(platform, cluster, unit, { entry, message, ...gathered, ours, covered: draft.covered ?? true, at, judged })
  return outcome
}

function owesRentTo({ head }: Entry, tenant: string, payer: string | undefined): boolean {
  return payer !== undefined && head.tenant === tenant && isHolding(head) && head.context.rentPayer?.address === payer
}

/**
 * Our own drafts name nothing that the table refuses; if one does, it is a defect and must not be signed. What accounts a transfer hook
 * is handed is for its program to say, and no signer may be among them: the signature would be good for anything the program does.
 */
function checkNoneRefused(effects: readonly Effect[]): void {
  for (const effect of effects) {
    const [lent] = lentSigners(effect)
    if (lent !== undefined)
      throw badRequest('TRANSFER_HOOK_REFUSED', `the transfer hook of the instrument would act with the signature of ${lent}`, '/itemData')
    if (effect.kind === 'refused')
      throw forbidden('INSTRUCTION_NOT_ALLOWED', `instruction ${effect.index} (${effect.programId}) is not in the instruction table`)
  }
}

function dryRun(call: Call, composed: Composed, signers: readonly RequiredSigner[], verdicts: readonly Verdict[]): DryRun {
  const { message, keys, feeLamports, sizeBytes } = composed
  return new DryRun({
    feeLamports,
    sizeBytes,
    accounts: keys,
    signers: signers.map((each) => ({ onchainId: each.address, managed: canSign(each) || isManagedBy(call, each) })),
    limits: bounding(verdicts).map(shownLimit),
    message: message.bytes,
  })
}

/** Of the tenant's own signers, whether the key is kept here; it may be told not to sign now. */
function isManagedBy({ tenant }: Call, { state }: RequiredSigner): boolean {
  return state?.tenant === tenant && state.context.managed
}
