// Clients of the service: each request has an idempotency key, and is repeated under it until it has a definite answer,
// for any failure of the service or loss of answers.
import { createHash } from 'node:crypto'
import type { Call, Caller, JsonObject } from '../../src/contract/call.ts'
import type { Write } from '../../src/operations/context/platform.ts'
import { Refusal } from '../../src/contract/refusal.ts'
import { OutcomeUnknown, StaleEpoch, StoreClosed } from '../../snapshots/errors.ts'
import { ROLES } from '../../src/contract/roles.ts'
import { CLUSTER, type Process, type Surroundings } from './process.ts'
import { Random } from './random.ts'
import type { Life } from './time.ts'

export interface Organization {
  readonly tenant: string
  readonly name: string
}

/** Raw units that an account gains (or loses): the intended effect of a request on chain, besides fees and rents. */
export interface Leg {
  readonly address: string
  readonly asset: 'lamports' | 'tokens'
  readonly amount: bigint
}

export interface Asked {
  readonly kind: string
  readonly organization: Organization
  readonly endpoint: string
  readonly write: Write<never>
  readonly input: object
  readonly legs?: readonly Leg[]
  /** All available lamports: the service chooses the amount, the request the accounts. */
  readonly everything?: { readonly from: string; readonly to: string }
  /** Address of the position whose whole balance is burned: the service chooses the amount. */
  readonly burnsAll?: string
  readonly waitMs?: number
  /** Idempotency key; absent: one of this request alone. */
  readonly key?: string
  /** API key; absent: one of this request alone. */
  readonly keyId?: string
}

export interface Request extends Asked {
  readonly number: number
  attempts: number
  /** `given up`: the client does not know the outcome. */
  state: 'asking' | 'answered' | 'refused' | 'given up'
  /** Ids of its transactions, as answered. */
  transactions: readonly string[] | null
  body: JsonObject | null
  code: string | null
  readonly settle: (request: Request) => void
}

const SYSTEM = 'SYSTEM'
const GIVES_UP = 0.01

export class Clients {
  readonly requests: Request[] = []
  /** Requests without a definite answer. */
  open = 0
  /** Answers get lost, clients send requests twice at once and give up. */
  faulty = true
  readonly #around: Surroundings
  readonly #process: () => Process | null
  readonly #random: Random
  readonly #inFlight = new Map<Request, Set<Process>>()

  readonly #patienceMs: number | null

  /** @param patienceMs how long a client waits for an answer, beyond the requested wait; null: without end */
  constructor(around: Surroundings, process: () => Process | null, patienceMs: number | null = null) {
    this.#around = around
    this.#patienceMs = patienceMs
    this.#process = process
    this.#random = new Random(around.seed, 'clients')
  }

  /** Resolves when it has a definite answer, or the client gave up. Never rejects. */
  ask(asked: Asked | ((number: number) => Asked)): Promise<Request> {
    return new Promise((resolve) => {
      const number = this.requests.length + 1
      const request: Request = {
        ...(typeof asked === 'function' ? asked(number) : asked),
        number,
        attempts: 0,
        state: 'asking',
        transactions: null,
        body: null,
        code: null,
        settle: resolve,
      }
      this.requests.push(request)
      this.open += 1
      this.#attempt(request)
      if (this.faulty && this.#random.chance(0.03) && this.#around.tally.fault('asked twice at once'))
        this.#attempt(request)
    })
  }

  /** A process has ended, with every cell that it had opened: callers that waited for one of them repeat later. */
  died(life: Life): void {
    for (const [request, processes] of this.#inFlight) {
      const ended = [...processes].filter((process) => process.life === life)
      if (ended.length === 0) continue
      for (const process of ended) processes.delete(process)
      if (processes.size === 0) this.#inFlight.delete(request)
      this.#again(request)
    }
  }

  call({ tenant, name }: Organization, more: Partial<Call> = {}, keyId = `key of ${name}`): Call {
    const caller: Caller = {
      keyId,
      organization: name,
      tenant,
      system: tenant === SYSTEM,
      roles: new Set(ROLES),
      clusters: null,
    }
    return {
      caller,
      organization: name,
      tenant,
      cluster: CLUSTER,
      requestId: 'r',
      endpoint: 'POST /api/v1/simulated',
      idempotency: null,
      waitMs: 0,
      dryRun: false,
      ...more,
    }
  }

  #attempt(request: Request): void {
    if (request.state !== 'asking') return
    const process = this.#process()
    if (process?.service == null) {
      this.#again(request)
      return
    }
    request.attempts += 1
    const attempt = request.attempts
    const { organization, endpoint, write, input, number, waitMs = 0 } = request
    const digest = createHash('sha256').update(JSON.stringify(input)).digest('hex')
    const call = this.call(
      organization,
      { endpoint, waitMs, idempotency: { key: request.key ?? `key ${number}`, digest } },
      request.keyId ?? `key of ${organization.name} #r${number};`,
    )
    const processes = this.#inFlight.get(request) ?? new Set()
    this.#inFlight.set(request, processes.add(process))
    let isOver = false
    const end = (): void => {
      isOver = true
      processes.delete(process)
      if (processes.size === 0) this.#inFlight.delete(request)
    }
    if (this.#patienceMs !== null)
      this.#around.time.plan(waitMs + this.#patienceMs, () => {
        if (isOver || !process.life.alive || !this.#around.tally.fault('client stopped waiting')) return
        end()
        this.#again(request)
      })
    const arrived = (take: () => void): void => {
      if (isOver || !process.life.alive) return
      end()
      const isLost = this.faulty && new Random(this.#around.seed, 'answer', number, attempt).chance(0.05)
      if (isLost && this.#around.tally.fault('answer to client lost')) this.#again(request)
      else take()
    }
    process
      .serve(({ performer }) => performer.perform(call, write as Write<object>, input))
      .then(
        ({ body }) => arrived(() => this.#answered(request, body)),
        (error: unknown) => arrived(() => this.#failed(request, error)),
      )
  }

  #answered(request: Request, body: JsonObject): void {
    const transactions = transactionsIn(body)
    if (request.transactions !== null && request.transactions.join() !== transactions.join()) {
      this.#around.violated(
        'another answer under the same key',
        `${describe(request)}: ${transactions.join()}, before ${request.transactions.join()}`,
      )
    }
    request.transactions = transactions
    request.body = body
    this.#end(request, 'answered')
  }

  #failed(request: Request, error: unknown): void {
    if (error instanceof OutcomeUnknown || error instanceof StaleEpoch || error instanceof StoreClosed) {
      this.#again(request)
      return
    }
    if (!(error instanceof Refusal)) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
      this.#around.violated('internal error', `${describe(request)}: ${reason}`)
      this.#end(request, 'refused')
      return
    }
    request.code = error.problems[0]?.code ?? String(error.status)
    if (error.status === 429 || error.status === 503 || error.problems.some(({ retryable }) => retryable)) {
      this.#again(request)
      return
    }
    this.#end(request, 'refused')
  }

  #again(request: Request): void {
    if (request.state !== 'asking') return
    if (this.faulty && this.#random.chance(GIVES_UP)) {
      this.#end(request, 'given up')
      return
    }
    const delayMs = this.#random.between(100, 5_000)
    this.#around.time.plan(delayMs, () => this.#attempt(request))
  }

  #end(request: Request, state: Exclude<Request['state'], 'asking'>): void {
    if (request.state !== 'asking') return
    request.state = state
    this.open -= 1
    const { kind, code } = request
    this.#around.tally.operation(kind, state === 'refused' ? (code ?? state) : state)
    request.settle(request)
  }
}

export function describe({ number, kind, organization }: Request): string {
  return `request ${number} (${kind} of ${organization.name})`
}

/** Number of the request that used a key: in this world each has its own key. */
export function requestOfKey(keyId: string): number | null {
  const match = /#r(\d+);$/.exec(keyId)
  return match === null ? null : Number(match[1])
}

/** Ids of the transactions of an answer. */
export function transactionsIn(body: JsonObject): string[] {
  const idOf = (result: unknown): string[] => {
    const { offchainId } = (result ?? {}) as { offchainId?: unknown }
    return typeof offchainId === 'string' ? [offchainId] : []
  }
  if (Array.isArray(body['chainTransactions'])) return body['chainTransactions'].flatMap(idOf)
  if (body['chainTransaction'] !== undefined) return idOf(body['chainTransaction'])
  return 'serializedMessage' in body ? idOf(body) : []
}
