// A deposit into a wallet that 16 payers keep busy: the time until a payment that needs the deposit succeeds, and the
// refusals until then. Two sides: with subscriptions to the accounts in use, and without, where the service queries the
// chain only when it would refuse the payment. A small payment at the same time is the reference for both: it needs no
// deposit, so it takes the time that the machine needs for any payment.
import { loadavg } from 'node:os'
import { Connection, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js'
import { startService, type ServiceProcess } from '../service/process.ts'
import type { Ids, Rest } from '../service/rest.ts'
import { createTenant } from '../service/tenant.ts'
import type { Figure, Options, Suite } from '../suite.ts'

const about = 'a deposit of 50 SOL into a wallet that 16 payers keep busy, until a payment of 30 out of it is confirmed'

export const deposits: Suite = { name: 'deposits', about, run }

const PAYERS = 16
const PAY = '/positions/transfer-network-currency'
const SMALL_LAMPORTS = 1_000
const LARGE_SOL = 30
const DEPOSIT_SOL = 50
const FUNDS_SOL = 2
/** Timeout of a round. */
const PATIENCE_MS = 60_000
/** Number of the payers' answers before the deposit, so that the wallet is busy. */
const BUSY_AFTER = 4 * PAYERS

interface Round {
  /** Slots between the deposit and the payment on the chain. */
  readonly landedSlots: number
  /** Mean time of the payers' payments meanwhile, from the request to the answer. */
  readonly smallMs: number
  readonly load: number
  readonly waitedMs: number
  readonly waitedSlots: number
  /** Refusals of the large payment for insufficient balance: permanent ones, and retryable ones. */
  readonly refusedForGood: number
  readonly refusedRetryable: number
  readonly smallPerSecond: number
  readonly succeeded: boolean
}

interface Paid {
  readonly ok: boolean
  readonly retryable: boolean
  readonly signature: string
}

interface Scene {
  readonly service: ServiceProcess
  readonly chain: Connection
  readonly rest: Rest
  readonly apiKey: string
  readonly feePayer: Ids
}

async function run(options: Options) {
  await using subscribed = await startService(options)
  await using unsubscribed = await startService({ ...options, settings: { HOLDFAST_SUBSCRIBED_ACCOUNTS: '0' } })
  const scenes = { subscribed: await prepare(subscribed), 'asked first': await prepare(unsubscribed) }
  const rounds = new Map<string, Round[]>(Object.keys(scenes).map((side) => [side, []]))
  // The first round of each side runs code that is not compiled yet: it is printed but does not count.
  for (let number = 0; number <= options.rounds; number += 1) {
    for (const [side, scene] of Object.entries(scenes)) {
      const round = await measure(scene)
      const slots = `${round.waitedSlots} slots after it was confirmed, in slot +${round.landedSlots}`
      const besides = `a small payment took ${round.smallMs.toFixed(0)} ms, load ${round.load.toFixed(1)}`
      options.note(
        `${side}, ${number === 0 ? 'warm-up' : `round ${number}`}: ${round.succeeded ? 'paid' : 'given up'} after ${round.waitedMs.toFixed(0)} ms, ${slots}; ${besides}`,
      )
      if (number > 0) rounds.get(side)!.push(round)
    }
  }
  return { suite: 'deposits', about, figures: figuresOf(rounds), checks: checksOf(rounds), profile: [] }
}

function figuresOf(rounds: ReadonlyMap<string, readonly Round[]>): Figure[] {
  const definitions: [string, string, (round: Round) => number][] = [
    ['deposit confirmed to payment confirmed', 'slots', ({ waitedSlots }) => waitedSlots],
    ['slot of the deposit to slot of the payment', 'slots', ({ landedSlots }) => landedSlots],
    ['deposit confirmed to payment confirmed', 'ms', ({ waitedMs }) => waitedMs],
    ['a small payment meanwhile', 'ms', ({ smallMs }) => smallMs],
    ['refused, not retryable', 'times', ({ refusedForGood }) => refusedForGood],
    ['refused, retryable', 'times', ({ refusedRetryable }) => refusedRetryable],
    ['small payments meanwhile', 'payments/s', ({ smallPerSecond }) => smallPerSecond],
    ['load of the machine', 'runnable', ({ load }) => load],
  ]
  return definitions.flatMap(([name, unit, value]) =>
    [...rounds].map(([side, own]) => ({ name: `${side}: ${name}`, unit, values: own.map(value) })),
  )
}

function checksOf(rounds: ReadonlyMap<string, readonly Round[]>): string[] {
  return [...rounds].map(([side, own]) => {
    const within = own.filter(({ succeeded, waitedSlots }) => succeeded && waitedSlots <= 2)
    return `${side}: ${own.filter(({ succeeded }) => succeeded).length} of ${own.length} payments went through, ${within.length} within two slots`
  })
}

async function prepare(service: ServiceProcess): Promise<Scene> {
  const chain = new Connection(service.chainRpcUrl, 'confirmed')
  const { rest, apiKey } = await createTenant(service, 'DEPOSITS')
  const feePayer = await wallet(rest, { canPayFees: true })
  await deposit(chain, feePayer, 1_000)
  await rest.post('/accounts/single/balance', { itemData: { offchainId: feePayer.offchainId } })
  return { service, chain, rest, apiKey, feePayer }
}

async function measure({ service, chain, rest, apiKey, feePayer }: Scene): Promise<Round> {
  const source = await wallet(rest, { networkCurrencyDebitLimits: [] })
  const [shop, large] = [await wallet(rest, {}), await wallet(rest, {})]
  for (const each of [source, shop, large]) {
    await deposit(chain, each, FUNDS_SOL)
    await rest.post('/accounts/single/balance', { itemData: { offchainId: each.offchainId } })
  }
  const pay = async (destination: Ids, lamports: number): Promise<Paid> => {
    const at = ({ offchainId }: Ids) => ({ offchainId })
    const response = await fetch(`http://${service.host}:${service.port}/api/v1${PAY}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        itemData: { source: at(source), destination: at(destination), lamports: String(lamports) },
        chainTransactionConfig: { feePayer: at(feePayer) },
      }),
    })
    const body = (await response.json()) as { onchainId?: string; errors?: { code: string; retryable: boolean }[] }
    const problem = body.errors?.[0]
    if (problem !== undefined && problem.code !== 'INSUFFICIENT_BALANCE')
      throw new Error(`${PAY}: ${JSON.stringify(body)}`)
    return { ok: response.ok, retryable: problem?.retryable ?? false, signature: body.onchainId ?? '' }
  }
  const busy = { running: true, answered: 0, tookMs: 0 }
  const payers = Promise.all(
    Array.from({ length: PAYERS }, async () => {
      while (busy.running) {
        const askedAt = performance.now()
        if (!(await pay(shop, SMALL_LAMPORTS)).ok) throw new Error('a small payment was refused')
        busy.answered += 1
        busy.tookMs += performance.now() - askedAt
      }
    }),
  )
  payers.catch(() => undefined)
  while (busy.answered < BUSY_AFTER) await Promise.race([payers, pause(5)])
  const depositSlot = await deposit(chain, source, DEPOSIT_SOL)
  const [startedAt, slot, before] = [performance.now(), await chain.getSlot('confirmed'), { ...busy }]
  const refused = { forGood: 0, retryable: 0 }
  let [succeeded, signature] = [false, '']
  while (!succeeded && performance.now() - startedAt < PATIENCE_MS) {
    const answer = await pay(large, LARGE_SOL * LAMPORTS_PER_SOL)
    ;({ ok: succeeded, signature } = answer)
    if (!answer.ok) refused[answer.retryable ? 'retryable' : 'forGood'] += 1
  }
  const waitedMs = performance.now() - startedAt
  const waitedSlots = (await chain.getSlot('confirmed')) - slot
  const answers = Math.max(1, busy.answered - before.answered)
  const [smallPerSecond, smallMs] = [(answers * 1_000) / waitedMs, (busy.tookMs - before.tookMs) / answers]
  const landedSlots = succeeded ? (await slotOf(chain, signature)) - depositSlot : NaN
  busy.running = false
  await payers
  const arrived = await chain.getBalance(new PublicKey(large.onchainId), 'confirmed')
  if (succeeded && arrived !== (FUNDS_SOL + LARGE_SOL) * LAMPORTS_PER_SOL)
    throw new Error(`${arrived} lamports arrived`)
  return {
    waitedMs,
    waitedSlots,
    landedSlots,
    smallMs,
    smallPerSecond,
    succeeded,
    refusedForGood: refused.forGood,
    refusedRetryable: refused.retryable,
    load: loadavg()[0]!,
  }
}

async function wallet(rest: Rest, members: object): Promise<Ids> {
  const { newAccount } = await rest.post<{ newAccount: Ids }>('/accounts', { itemData: { managed: true, ...members } })
  return newAccount
}

/** Resolves with the slot of the confirmed deposit. The balance of a busy wallet would not show it. */
async function deposit(chain: Connection, { onchainId }: Ids, sol: number): Promise<number> {
  return await slotOf(chain, await chain.requestAirdrop(new PublicKey(onchainId), sol * LAMPORTS_PER_SOL))
}

async function slotOf(chain: Connection, signature: string): Promise<number> {
  for (let attempt = 0; attempt < 2_000; attempt += 1) {
    const { value } = await chain.getSignatureStatuses([signature])
    const status = value[0]
    if (status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized') return status.slot
    await pause(5)
  }
  throw new Error(`${signature} was not confirmed`)
}

function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, delayMs))
}
