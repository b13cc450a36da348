// Transfers with idempotency keys: the request, every answer, and repetition until an answer is final.
import { setTimeout as delay } from 'node:timers/promises'
import { isBusy, type Answer, type Ref } from './api.ts'
import type { Random } from './random.ts'
import type { Service } from './service.ts'
import { idOf, tokenAddress, type Setup } from './setup.ts'
import { until } from './until.ts'

export interface Transfer {
  /**
   * Changes only when the attempt under it provably expired: that attempt has ended, and another needs its own key,
   * with one more `+`.
   */
  key: string
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly itemData: object
  readonly feePayer: Ref
  /** Has too few compute units: it lands, fails, and costs its fee. */
  readonly doomed: boolean
  /** Under its present key. */
  answers: Answer[]
}

/** Small amounts, so that many transfers are equal and must not be merged; one in twenty is doomed. */
export function anyTransfer(setup: Setup, random: Random, key: string): Transfer {
  const from = random(setup.owners.length)
  const to = (from + 1 + random(setup.owners.length - 1)) % setup.owners.length
  const [instrument, amount, feePayer, doomed] = [
    random(setup.instruments.length),
    1 + random(3),
    random(2),
    random(20) === 0,
  ]
  return transferOf(setup, { key, from, to: setup.owners[to]!, instrument, amount, feePayer, doomed })
}

export interface Wanted {
  readonly key: string
  /** Numbers of an owner, an instrument and a fee payer of the setup. */
  readonly from: number
  readonly instrument: number
  readonly feePayer: number
  readonly to: Ref
  readonly amount: number
  readonly doomed?: boolean
}

export function transferOf(
  setup: Setup,
  { key, from, to, instrument: number, amount, feePayer, doomed = false }: Wanted,
): Transfer {
  const source = setup.positions[from]![number]!
  const instrument = setup.instruments[number]!
  return {
    key,
    from: source.onchainId,
    to: tokenAddress(to, instrument),
    amount: BigInt(amount),
    itemData: {
      source: { position: idOf(source) },
      destination: { owner: idOf(to), financialInstrument: idOf(instrument) },
      lamports: amount,
      ...(setup.owners.includes(to) ? {} : { initializeDestinationPositionIfNeeded: true }),
    },
    feePayer: setup.feePayers[feePayer]!,
    doomed,
    answers: [],
  }
}

/** One transfer of each instrument to each of the accounts, which opens their positions. */
export function welcomes(setup: Setup, random: Random, newcomers: readonly Ref[], key: string): Transfer[] {
  return newcomers.flatMap((to, index) =>
    setup.instruments.map((_, instrument) =>
      transferOf(setup, {
        key: `${key}, ${index}.${instrument}`,
        from: random(setup.owners.length),
        to,
        instrument,
        amount: 1 + random(3),
        feePayer: random(2),
      }),
    ),
  )
}

/** The same items in random order. */
export function shuffle<T>(items: readonly T[], random: Random): T[] {
  const remaining = [...items]
  return items.map(() => remaining.splice(random(remaining.length), 1)[0]!)
}

/** One attempt; rejects when the answer is lost. */
export async function ask(service: Service, transfer: Transfer, headers: Record<string, string> = {}): Promise<Answer> {
  const chainTransactionConfig = {
    feePayer: idOf(transfer.feePayer),
    ...(transfer.doomed ? { computeUnitConfig: { limit: 10 } } : {}),
  }
  const answer = await service.api.send('POST', '/positions/transfer', transfer.itemData, {
    body: { chainTransactionConfig },
    headers: { 'idempotency-key': transfer.key, ...headers },
  })
  transfer.answers.push(answer)
  return answer
}

/** The number of attempts that expired before the present one. */
export function attemptsReplaced({ key }: Transfer): number {
  return /\+*$/.exec(key)![0].length
}

/** All at once, with at most `width` in progress; answers may be lost. */
export async function burst(service: Service, transfers: readonly Transfer[], width = 50): Promise<void> {
  const queue = [...transfers]
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift())
        await ask(service, next).catch(() => undefined)
    }),
  )
}

/** Repeats with the same key until the answer reports that the transfer moved or, if doomed, failed. */
export async function insist(service: Service, transfer: Transfer): Promise<Answer> {
  let last: Answer | undefined
  const lost: unknown[] = []
  return await until(
    async () => {
      const answer = await ask(service, transfer).catch((error: unknown) => void lost.push(error))
      last = answer ?? last
      if (answer !== undefined) lost.length = 0
      if (answer === undefined || isBusy(answer)) return undefined
      if (answer.status !== 201) throw new Error(`${transfer.key}: ${answer.status} ${JSON.stringify(answer.body)}`)
      if (answer.body['status'] === 'EXPIRED') {
        transfer.key += '+'
        transfer.answers = []
        return undefined
      }
      if (!transfer.doomed && answer.body['success'] !== true)
        throw new Error(`${transfer.key} failed: ${JSON.stringify(answer.body)}`)
      return isDone(transfer, answer) ? answer : undefined
    },
    () =>
      `${transfer.key} is done; the last answer was ${JSON.stringify(last)}, and ${lost.length} were lost since, ` +
      `the last one by ${String(lost.at(-1))}`,
  )
}

export async function insistAll(service: Service, transfers: readonly Transfer[], width = 50): Promise<void> {
  const queue = [...transfers]
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let transfer = queue.shift(); transfer !== undefined; transfer = queue.shift())
        await insist(service, transfer)
    }),
  )
}

/** True if the answer reports the result on chain: the transfer moved, or failed. */
export function isDone({ doomed }: Transfer, { status, body }: Answer): boolean {
  if (status !== 201) return false
  if (doomed) return body['success'] === false && ['CONFIRMED', 'BLOCKCHAIN_ERROR'].includes(body['status'] as string)
  return body['success'] === true && ['CONFIRMED', 'FINALIZED'].includes(body['status'] as string)
}

/** Transfers whose answer was lost, or did not report a result on chain. */
export function findUnsure(transfers: readonly Transfer[]): Transfer[] {
  return transfers.filter((transfer) => !transfer.answers.some((answer) => isDone(transfer, answer)))
}

/** The only transaction of a transfer; every answer about it must name the same. */
export function transactionOf({ key, answers }: Transfer): Ref {
  const acceptedAnswers = answers.filter(({ status }) => status === 201)
  const [only, ...others] = new Set(
    acceptedAnswers.map(({ body }) => `${body['offchainId'] as string} ${body['onchainId'] as string}`),
  )
  if (only === undefined || others.length > 0)
    throw new Error(`${key} is not one transaction: ${[only, ...others].join(', ')}`)
  const [offchainId = '', onchainId = ''] = only.split(' ')
  return { offchainId, onchainId }
}

const ENDS: ReadonlySet<string> = new Set([
  'FINALIZED',
  'BLOCKCHAIN_ERROR',
  'NON_BLOCKCHAIN_ERROR',
  'CANCELLED',
  'EXPIRED',
])

/** Waits until a transaction has ended; returns its status. */
export async function finalStatus(service: Service, ref: Ref): Promise<string> {
  let last = ''
  return await until(
    async () => {
      last = String((await service.api.get('/transactions/status', idOf(ref)))['status'])
      return ENDS.has(last) ? last : undefined
    },
    () => `${ref.offchainId} ends; it is ${last}`,
  )
}

export async function pause(ms: number): Promise<void> {
  await delay(ms)
}
