// POST /durable-nonce-accounts: creates nonce accounts in as few transactions as possible, or records existing ones.
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Outcome } from '../../contract/call.ts'
import { rememberOutcome } from '../transactions/idempotency.ts'
import type { NewNoncesInput } from '../../contract/schemas/nonce.ts'
import type { NewAccountInput } from '../../contract/schemas/new-account.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import { NONCES_PURPOSE, packNonces, type NonceToMake } from './step-draft.ts'
import { createNonceRecord, foundNonce, noncePlan, type FoundNonce, type NewNonce } from './new-nonce.ts'
import { runPlan } from '../transactions/plans/run-plan.ts'
import type { Write, Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { eachTogether, together } from '../../contract/together.ts'
import { resolveParty } from '../lookup/account.ts'
import { checkNoEscrow } from '../lookup/escrows.ts'
import type { Party } from '../lookup/party.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import { clusterOf } from '../transactions/transact.ts'
import type { MembersOf } from '../../contract/schemas/members.ts'
import type { newNoncesAnswer } from '../../contract/schemas/answers.ts'

type Members = MembersOf<typeof newNoncesAnswer>

export const createNonces: Write<TransactionBody<NewNoncesInput>, Members> = async (
  context,
  { itemData, chainTransactionConfig: config },
) => {
  const inputs = itemData.nonceAccounts ?? Array.from({ length: itemData.count ?? 0 }, (): NewAccountInput => ({}))
  const [authority, plans] = together(
    () => authorityNamed(context, itemData.nonceAuthority),
    () => eachTogether(inputs, (input, index) => noncePlan(context, input, `/itemData/nonceAccounts/${index}`)),
  )
  const nonces: NewNonce[] = []
  for (const plan of plans) nonces.push(await plan())
  checkDistinct(nonces)
  const found = await foundOnchain(context, nonces, authority)
  const members = {
    newDurableNonceAccounts: nonces.map(({ id, fresh }) => ({ onchainId: fresh.address, offchainId: id })),
  }
  const toMake = nonces.filter((nonce) => !found.has(nonce)).map(({ id, fresh }) => ({ id, address: fresh.address }))
  const prepare = (unit: UnitOfWork): void => {
    const feePayer = toMake.length === 0 ? undefined : feePayerOf(context, config)
    const named = { address: authority.address, id: authority.entry?.head.id ?? null }
    eachTogether(nonces, (nonce) =>
      createNonceRecord(context, unit, nonce, { authority: named, found: found.get(nonce) ?? null, feePayer }),
    )
  }
  if (toMake.length === 0) return await takeNote(context, members, prepare)
  return await runPlan(context, config, {
    purpose: NONCES_PURPOSE,
    steps: packNonces(context, config, authority.address, toMake).map((accounts) =>
      stepOf(authority.address, accounts),
    ),
    members,
    prepare,
    freshKeys: nonces.flatMap(({ fresh }) => (fresh.key === null ? [] : [fresh.key.fresh])),
  })
}

/** Throws 403 `ESCROW_LOCKED`: the key of an escrow never advances a nonce. */
function authorityNamed(context: Context, lookup: NewNoncesInput['nonceAuthority']): Party {
  const pointer = '/itemData/nonceAuthority'
  const authority = resolveParty(context, lookup, pointer)
  checkNoEscrow(context.platform.engine.directory, context.call, authority.address, pointer)
  return authority
}

function stepOf(authority: string, accounts: readonly NonceToMake[]) {
  return {
    data: { authority, accounts: accounts.map((account) => ({ ...account })) },
    records: accounts.map(({ id }) => id),
  }
}

function checkDistinct(nonces: readonly NewNonce[]): void {
  const seen = new Set<string>()
  eachTogether(nonces, ({ fresh, pointer }) => {
    if (seen.has(fresh.address))
      throw badRequest('ALREADY_EXISTS', `${fresh.address} is listed twice`, `${pointer}/onchainId`)
    seen.add(fresh.address)
  })
}

async function foundOnchain(
  context: Context,
  nonces: readonly NewNonce[],
  authority: Party,
): Promise<ReadonlyMap<NewNonce, FoundNonce>> {
  const there = nonces.filter(({ input }) => input.alreadyOnchain === true)
  if (there.length === 0) return new Map()
  const { slot, accounts } = await clusterOf(context).finalizedAccounts(there.map(({ fresh }) => fresh.address))
  return new Map(
    eachTogether(there, (nonce, index) => [nonce, foundNonce(nonce, accounts[index] ?? null, slot, authority.address)]),
  )
}

async function takeNote(
  { platform, call }: Context,
  members: Members,
  prepare: (unit: UnitOfWork) => void,
): Promise<Outcome<Members>> {
  const outcome: Outcome<Members> = { members, transactions: [], shape: 'members', awaited: 'confirmed' }
  const { durable } = platform.engine.transact((unit) => {
    prepare(unit)
    rememberOutcome(call, unit, outcome)
  })
  await durable
  return outcome
}
