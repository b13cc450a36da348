// POST /accounts/discover: finds the token accounts of an owner on chain and records those that are not on record, with
// their instruments, in one unit of work.
import { decodeTokenAccount } from '../../solana/token-layout.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { AccountType } from '../../../machines/holding.ts'
import type { DryRun } from '../../contract/call.ts'
import type { DiscoverInput, DiscoveryModel } from '../../contract/schemas/discovery.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import { badRequest, type Refusal } from '../../contract/refusal.ts'
import { checkUnique, newHolding } from '../holdings/new-holding.ts'
import { kindOnchain, type MakeRecord } from '../holdings/onchain-kind.ts'
import { instrumentOnChain, type ReadInstrument } from '../instruments/onboard.ts'
import { resolveParty } from '../lookup/account.ts'
import { decodeOrNull } from '../lookup/on-chain.ts'
import { referTo } from '../lookup/party.ts'
import { ownRecordsAt } from '../lookup/whose-records.ts'
import type { ChainAccount, Write, Context } from '../context/platform.ts'
import { isRetryable, operationResult, type OperationFailure } from '../context/as-refusal.ts'
import { dryOutcome } from '../transactions/dry-run.ts'
import { changeRecords } from '../transactions/change-records.ts'
import { clusterOf } from '../transactions/transact.ts'
import type { IdsModel, IdsOrNull } from '../../contract/schemas/answers.ts'

type Members = { readonly discovered: DiscoveryModel }

/** Accounts of an owner that one request reads. */
const MAX_FOUND = 1_000
/** Accounts that one request records; a repetition records the next. */
const MAX_ADDED = 100

const LIMIT_RULE = `a request records at most ${MAX_ADDED} accounts; repeat it`
const ROLE_RULE = 'recording its instrument requires the role INSTRUMENTS_WRITE'

type Found = Awaited<ReturnType<ReturnType<typeof clusterOf>['tokenAccountsOf']>>[number] & { readonly mint: string }

interface Skipped {
  readonly onchainId: string
  readonly financialInstrumentOnchainId: string | null
  readonly reason:
    'NOT_A_TOKEN_ACCOUNT' | 'INSTRUMENT_NOT_ON_RECORD' | 'INSTRUMENT_REFUSED' | 'ACCOUNT_REFUSED' | 'LIMIT'
  readonly message: string
}

type Added = DiscoveryModel['added'][number]

interface ToAdd {
  readonly id: string
  readonly found: Found
  readonly make: MakeRecord
}

interface Plan {
  readonly owner: { readonly onchainId: string; readonly offchainId: string | null }
  readonly foundCount: number
  readonly known: DiscoveryModel['known']
  readonly instruments: ReadonlyMap<string, ReadInstrument>
  readonly adding: readonly ToAdd[]
  readonly skipped: readonly Skipped[]
}

/** Throws 400 `ACCOUNT_NOT_FOUND`, `TOO_MANY_TOKEN_ACCOUNTS`. */
export const discoverAccounts: Write<ItemBody<DiscoverInput>, Members> = async (context, { itemData }) => {
  const { platform, call } = context
  const plan = await planOf(context, itemData)
  if (call.dryRun) return dryOutcome(new DiscoveryDryRun(plan))
  return await changeRecords(context, (unit) => {
    const added: Added[] = []
    const made = new Set<string>()
    for (const [mint, { make }] of plan.instruments) {
      if (instrumentAt(context, mint) !== undefined) continue
      make(unit)
      made.add(mint)
    }
    const known = [...plan.known]
    for (const each of plan.adding) {
      // Another request may have recorded the account in the meantime.
      const [same] = ownRecordsAt(platform.engine.directory, call.tenant, call.cluster, each.found.address)
      if (same === undefined) added.push(record(context, unit, each))
      else known.push({ onchainId: each.found.address, offchainId: same.head.id })
    }
    const instruments = [...plan.instruments].filter(([mint]) => made.has(mint)).map(([, { ids }]) => ids)
    return { members: { discovered: report(plan, { added, known, instruments }) } }
  })
}

function record(context: Context, unit: UnitOfWork, { id, found, make }: ToAdd): Added {
  const { address, account, mint } = found
  const instrument = instrumentAt(context, mint)
  const type: AccountType =
    instrument?.context.references.type === 'FUNDS_TOKEN' ? 'FUNDS_TOKEN_ACCOUNT' : 'ASSET_TOKEN_ACCOUNT'
  const inputs = {
    address,
    key: null,
    type,
    ownerProgram: account.owner,
    dataLength: account.data.length,
    lamports: account.lamports,
  }
  const holding = newHolding(context, { alreadyOnchain: true }, inputs, '/itemData')
  checkUnique(context, holding, '/itemData')
  make(unit, id, holding)
  return {
    onchainId: address,
    offchainId: id,
    financialInstrument: { onchainId: mint, offchainId: instrument?.id ?? null },
  }
}

async function planOf(context: Context, { owner }: DiscoverInput): Promise<Plan> {
  const { platform, call } = context
  const { address, entry } = resolveParty(context, owner, '/itemData/owner')
  const cluster = clusterOf(context)
  const listed = await cluster.tokenAccountsOf(address)
  if (listed.length > MAX_FOUND)
    throw badRequest(
      'TOO_MANY_TOKEN_ACCOUNTS',
      `the owner has ${listed.length} token accounts; at most ${MAX_FOUND} are discovered`,
      '/itemData/owner',
    )
  const skipped: Skipped[] = []
  const known: IdsModel[] = []
  const fresh: Found[] = []
  for (const { address: at, account } of listed) {
    const [same] = ownRecordsAt(platform.engine.directory, call.tenant, call.cluster, at)
    const mint = mintOf(account, address)
    if (same !== undefined) known.push({ onchainId: at, offchainId: same.head.id })
    else if (mint === null)
      skipped.push(skip({ address: at, mint }, 'NOT_A_TOKEN_ACCOUNT', 'it is not a token account of the owner'))
    else if (fresh.length >= MAX_ADDED) skipped.push(skip({ address: at, mint }, 'LIMIT', LIMIT_RULE))
    else fresh.push({ address: at, account, mint })
  }
  const refused = new Map<string, Omit<Skipped, 'onchainId'>>()
  const instruments = await instrumentsOf(context, [...new Set(fresh.map(({ mint }) => mint))], refused)
  const adding: ToAdd[] = []
  for (const found of fresh) {
    const why = refused.get(found.mint)
    if (why !== undefined) {
      skipped.push({ onchainId: found.address, ...why })
      continue
    }
    const { address: onchainId, account } = found
    const read = await operationResult(
      kindOnchain(context, cluster, { type: 'ASSET_TOKEN_ACCOUNT', address: onchainId, account }),
    )
    if (read.ok) adding.push({ id: platform.ids(), found, make: read.result })
    else skipped.push(skip(found, 'ACCOUNT_REFUSED', lastingRefusal(read).message))
  }
  return {
    owner: { onchainId: address, offchainId: entry?.head.id ?? null },
    foundCount: listed.length,
    known,
    instruments,
    adding,
    skipped,
  }
}

interface At {
  readonly address: string
  readonly mint: string | null
}

function skip({ address, mint }: At, reason: Skipped['reason'], message: string): Skipped {
  return { onchainId: address, financialInstrumentOnchainId: mint, reason, message }
}

/** null: not a token account, or of another owner. A node's answer is not trusted. */
function mintOf({ data, owner }: ChainAccount, address: string): string | null {
  const account = decodeOrNull(() => decodeTokenAccount(data, owner))
  return account?.owner === address ? account.mint : null
}

/** The refusal of one account or instrument. What will pass, and a defect, ends the request. */
function lastingRefusal(failure: OperationFailure): Refusal {
  if (failure.refusal === null || isRetryable(failure)) throw failure.error
  return failure.refusal
}

/** The instruments to record first. Those that cannot be recorded are noted in `refused`, by mint. */
async function instrumentsOf(
  context: Context,
  mints: readonly string[],
  refused: Map<string, Omit<Skipped, 'onchainId'>>,
): Promise<ReadonlyMap<string, ReadInstrument>> {
  const { platform, call } = context
  const read = new Map<string, ReadInstrument>()
  for (const mint of mints) {
    if (instrumentAt(context, mint) !== undefined) continue
    const { onchainId: _mint, ...why } = skip({ address: mint, mint }, 'INSTRUMENT_NOT_ON_RECORD', ROLE_RULE)
    if (!call.caller.roles.has('INSTRUMENTS_WRITE')) {
      refused.set(mint, why)
      continue
    }
    const isNoted = ownRecordsAt(platform.engine.directory, call.tenant, call.cluster, mint).length > 0
    const place = isNoted ? { existingMintAccount: { onchainId: mint } } : { mintAccount: { onchainId: mint } }
    const found = await operationResult(instrumentOnChain(context, { ...place, alreadyOnchain: true }))
    if (found.ok) read.set(mint, found.result)
    else refused.set(mint, { ...why, reason: 'INSTRUMENT_REFUSED', message: lastingRefusal(found).message })
  }
  return read
}

/** The instrument of a mint that the caller may use: its tenant's own, or a shared one. */
function instrumentAt(context: Context, mint: string): RecordState<'instrument'> | undefined {
  const { platform } = context
  const { id } = referTo(context, mint)
  return id === null ? undefined : ofKind(platform.engine.directory.resident(id)?.head, 'instrument')
}

interface Result {
  readonly added: DiscoveryModel['added']
  readonly known: DiscoveryModel['known']
  readonly instruments: DiscoveryModel['newFinancialInstruments']
}

function report({ owner, foundCount, skipped }: Plan, { added, known, instruments }: Result): DiscoveryModel {
  return {
    owner,
    foundCount,
    added,
    known,
    newFinancialInstruments: instruments,
    skipped: skipped.map((each) => ({ ...each })),
  }
}

class DiscoveryDryRun implements DryRun {
  readonly #plan: Plan

  constructor(plan: Plan) {
    this.#plan = plan
  }

  report(): Promise<DiscoveryModel> {
    const { adding, known, instruments } = this.#plan
    const unmade = (onchainId: string): IdsOrNull => ({ onchainId, offchainId: null })
    const added = adding.map(({ found }) => ({ ...unmade(found.address), financialInstrument: unmade(found.mint) }))
    return Promise.resolve(report(this.#plan, { added, known, instruments: [...instruments.keys()].map(unmade) }))
  }
}
