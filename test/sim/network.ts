// The network between the service and the nodes, with all its faults. The seed and the number of a request alone decide
// what happens to it, so that a seed replays.
import { TransportError } from '../../src/rpc/rpc-error.ts'
import type { Reply, Wire, WireSettings } from '../../src/rpc/wire.ts'
import { spoiled } from './answers.ts'
import type { SimulatedNode } from './node.ts'
import { Random } from './random.ts'
import type { Tally } from './audits/tally.ts'
import type { Life, Time } from './time.ts'
import type { Sky, FaultRates } from './faults.ts'

const PROVIDER_SAYS: readonly (readonly [status: number, text: string])[] = [
  [429, 'Too many requests'],
  [502, '<html>Bad gateway</html>'],
  [503, 'upstream unavailable'],
  [500, '{"error":"internal"}'],
]

export class Network {
  /** Requests so far. */
  requests = 0
  readonly #seed: string
  readonly #time: Time
  readonly #sky: Sky
  readonly #tally: Tally
  /** By URL: one or several nodes behind a balancer. */
  readonly #endpoints: ReadonlyMap<string, readonly SimulatedNode[]>

  constructor(
    seed: string,
    time: Time,
    sky: Sky,
    tally: Tally,
    endpoints: ReadonlyMap<string, readonly SimulatedNode[]>,
  ) {
    this.#seed = seed
    this.#time = time
    this.#sky = sky
    this.#tally = tally
    this.#endpoints = endpoints
  }

  /** The transport of the process of this life. */
  openWire(life: Life): (settings: WireSettings) => Wire {
    return ({ url, clock }) => {
      const name = new URL(url).origin
      let isClosed = false
      return {
        name,
        clear: (text) => text,
        post: (body, timeoutMs) => {
          if (isClosed) return Promise.reject(new TransportError('CLOSED', `${name}: closed`))
          return new Promise<Reply>((resolve, reject) => {
            const deadline = clock.setTimeout(
              () => reject(new TransportError('TIMEOUT', `${name}: no answer in time`)),
              timeoutMs,
            )
            const answered = (outcome: Reply | TransportError): void => {
              clock.clearTimeout(deadline)
              if (outcome instanceof TransportError) reject(outcome)
              else resolve(outcome)
            }
            this.#carry(url, body, life, answered)
          })
        },
        close: () => {
          isClosed = true
          return Promise.resolve()
        },
      }
    }
  }

  #carry(url: string, body: string, life: Life, answered: (outcome: Reply | TransportError) => void): void {
    const random = new Random(this.#seed, 'request', (this.requests += 1))
    const rates = this.#sky.over(url)
    const fate = (kind: keyof FaultRates): boolean => random.chance(rates[kind]) && this.#tally.fault(kind)
    const node = random.pick(this.#endpoints.get(url)!)
    const delayMs = (): number => (fate('late') ? random.between(500, 12_000) : random.between(1, 60))
    const toNodeMs = delayMs()
    const arrive = (): Promise<string> => node.answer(body)
    const back = (delayed: number, outcome: Reply | TransportError): void => {
      this.#time.plan(delayed, () => answered(outcome), life)
    }
    const brokenConnection = (): TransportError => new TransportError('CONNECTION', 'the connection broke')

    if (fate('requestLost')) {
      if (random.chance(0.5)) back(toNodeMs, brokenConnection())
      return
    }
    const [status, text] = random.pick(PROVIDER_SAYS)
    const isRefused = fate('refusedByProvider')
    if (isRefused && random.chance(0.5)) {
      back(toNodeMs, { status, text })
      return
    }
    const isRepeated = fate('twice')
    if (isRepeated)
      this.#time.plan(toNodeMs + random.between(0, random.chance(0.2) ? 90_000 : 3_000), () => void arrive())
    const backMs = delayMs()
    const isLost = fate('replyLost')
    const breaks = random.chance(0.5)
    const garbled = fate('garbled')
    this.#time.plan(toNodeMs, () => {
      void arrive().then((answer) => {
        if (isRefused) {
          back(backMs, { status, text })
          return
        }
        if (isLost) {
          if (breaks) back(backMs, brokenConnection())
          return
        }
        const response = spoiled(body, answer, rates, random, this.#tally)
        back(backMs, { status: 200, text: garbled ? response.slice(0, random.below(response.length)) : response })
      })
    })
  }
}
