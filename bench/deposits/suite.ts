// A deposit into a wallet that 16 payers keep busy: how long until a payment that needs it goes through, and what is refused until then.
import { Connection, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js'
import { startService, type ServiceProcess } from '../service/process.ts'
import type { Ids, Rest } from '../service/rest.ts'
import { createTenant } from '../service/tenant.ts'
import type { Options, Suite } from '../suite.ts'

const about = 'a deposit of 50 SOL into a wallet that 16 payers keep busy, until a payment of 30 out of it is confirmed'

export const deposits: Suite = { name: 'deposits', about, run }

const PAYERS = 16
const PAY = '/positions/transfer-network-currency'
const SMALL_LAMPORTS = 1_000
const LARGE_SOL = 30
const DEPOSIT_SOL = 50
const FUNDS_SOL = 2
/** A round that has not come to its end by then is given up. */
const PATIENCE_MS = 60_000
/** Answers of the payers before the deposit, so that the wallet is busy. */
const BUSY_AFTER = 4 * PAYERS

interface Round {
  readonly waitedMs: number
  readonly waitedSlots: number
  /** Refusals of the large payment for want of balance: for good, and to be repeated. */
  readonly refusedForGood: number
  readonly refusedRetryable: number
  readonly smallPerSecond: number
  readonly succeeded: boolean
}

interface Scene {
  readonly service: ServiceProcess
  readonly chain: Connection
  readonly rest: Rest
  readonly apiKey: string
  readonly feePayer: Ids
}

async function run(options: Options) {
  await using service = await startService(options)
  const chain = new Connection(service.chainRpcUrl, 'confirmed')
  const { rest, apiKey } = await createTenant(service, 'DEPOSITS')
  const feePayer = await wallet(rest, { canPayFees: true })
  await deposit(chain, feePayer, 1_000)
  await rest.post('/accounts/single/balance', { itemData: { offchainId: feePayer.offchainId } })
  const rounds: Round[] = []
  for (let number = 1; number <= options.rounds; number += 1) {
    const round = await measure({ service, chain, rest, apiKey, feePayer })
    options.note(`round ${number}: ${round.succeeded ? 'paid' : 'given up'} after ${round.waitedMs.toFixed(0)} ms`)
    rounds.push(round)
  }
  const figure = (name: string, unit: string, value: (round: Round) => number) => ({ name, unit, values: rounds.map(value) })
  return {
    suite: 'deposits',
    about,
    figures: [
      figure('deposit confirmed to payment confirmed', 'slots', ({ waitedSlots }) => waitedSlots),
      figure('deposit confirmed to payment confirmed', 'ms', ({ waitedMs }) => waitedMs),
      figure('refused, not retryable', 'times', ({ refusedForGood }) => refusedForGood),
      figure('refused, retryable', 'times', ({ refusedRetryable }) => refusedRetryable),
      figure('small payments meanwhile', 'payments/s', ({ smallPerSecond }) => smallPerSecond),
    ],
    checks: [`${rounds.filter(({ succeeded }) => succeeded).length} of ${rounds.length} large payments went through within a minute`],
    profile: [],
  }
}

async function measure({ service, chain, rest, apiKey, feePayer }: Scene): Promise<Round> {
  const source = await wallet(rest, { networkCurrencyDebitLimits: [] })
  const [shop, large] = [await wallet(rest, {}), await wallet(rest, {})]
  for (const each of [source, shop, large]) {
    await deposit(chain, each, FUNDS_SOL)
    await rest.post('/accounts/single/balance', { itemData: { offchainId: each.offchainId } })
  }
  const pay = async (destination: Ids, lamports: number): Promise<{ readonly ok: boolean; readonly retryable: boolean }> => {
    const at = ({ offchainId }: Ids) => ({ offchainId })
    const response = await fetch(`http://${service.host}:${service.port}/api/v1${PAY}`, {
      method: 'POST',
      headers: { 'Authorization': `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        itemData: { source: at(source), destination: at(destination), lamports: String(lamports) },
        chainTransactionConfig: { feePayer: at(feePayer) },
      }),
    })
    const body = (await response.json()) as { errors?: { code: string; retryable: boolean }[] }
    const problem = body.errors?.[0]
    if (problem !== undefined && problem.code !== 'INSUFFICIENT_BALANCE') throw new Error(`${PAY}: ${JSON.stringify(body)}`)
    return { ok: response.ok, retryable: problem?.retryable ?? false }
  }
  const busy = { running: true, answered: 0 }
  const payers = Promise.all(Array.from({ length: PAYERS }, async () => {
    while (busy.running) {
      if (!(await pay(shop, SMALL_LAMPORTS)).ok) throw new Error('a small payment was refused')
      busy.answered += 1
    }
  }))
  payers.catch(() => undefined)
  while (busy.answered < BUSY_AFTER) await Promise.race([payers, pause(5)])
  await deposit(chain, source, DEPOSIT_SOL)
  const [startedAt, slot, before] = [performance.now(), await chain.getSlot('confirmed'), busy.answered]
  const refused = { forGood: 0, retryable: 0 }
  let succeeded = false
  while (!succeeded && performance.now() - startedAt < PATIENCE_MS) {
    const answer = await pay(large, LARGE_SOL * LAMPORTS_PER_SOL)
    succeeded = answer.ok
    if (!answer.ok) refused[answer.retryable ? 'retryable' : 'forGood'] += 1
  }
  const waitedMs = performance.now() - startedAt
  const waitedSlots = (await chain.getSlot('confirmed')) - slot
  const smallPerSecond = ((busy.answered - before) * 1_000) / waitedMs
  busy.running = false
  await payers
  const arrived = await chain.getBalance(new PublicKey(large.onchainId), 'confirmed')
  if (succeeded && arrived !== (FUNDS_SOL + LARGE_SOL) * LAMPORTS_PER_SOL) throw new Error(`${arrived} lamports arrived`)
  return { waitedMs, waitedSlots, refusedForGood: refused.forGood, refusedRetryable: refused.retryable, smallPerSecond, succeeded }
}

async function wallet(rest: Rest, members: object): Promise<Ids> {
  const { newAccount } = await rest.post<{ newAccount: Ids }>('/accounts', { itemData: { managed: true, ...members } })
  return newAccount
}

/** Resolves when it is confirmed; the balance of a busy wallet does not tell. */
async function deposit(chain: Connection, { onchainId }: Ids, sol: number): Promise<void> {
  const signature = await chain.requestAirdrop(new PublicKey(onchainId), sol * LAMPORTS_PER_SOL)
  for (let attempt = 0; attempt < 2_000; attempt += 1) {
    const { value } = await chain.getSignatureStatuses([signature])
    const status = value[0]?.confirmationStatus
    if (status === 'confirmed' || status === 'finalized') return
    await pause(5)
  }
  throw new Error(`the deposit into ${onchainId} was not confirmed`)
}

function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, delayMs))
}
