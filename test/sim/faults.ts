// The faults and their rates: a climate per world, with phases of more and fewer faults. All faults end for good on
// request.
import type { Random } from './random.ts'
import type { Time } from './time.ts'

/** Probabilities per request, unless noted. */
export interface FaultRates {
  readonly requestLost: number
  readonly replyLost: number
  readonly twice: number
  readonly late: number
  readonly refusedByProvider: number
  readonly garbled: number
  /** Per call of a request. */
  readonly nodeError: number
  readonly answeredNull: number
  readonly gap: number
}

const CLEAR: FaultRates = {
  requestLost: 0,
  replyLost: 0,
  twice: 0,
  late: 0,
  refusedByProvider: 0,
  garbled: 0,
  nodeError: 0,
  answeredNull: 0,
  gap: 0,
}
const CHANGEABLE: FaultRates = {
  requestLost: 0.02,
  replyLost: 0.03,
  twice: 0.02,
  late: 0.05,
  refusedByProvider: 0.02,
  garbled: 0.005,
  nodeError: 0.01,
  answeredNull: 0.01,
  gap: 0.02,
}
const STORM: FaultRates = {
  requestLost: 0.15,
  replyLost: 0.25,
  twice: 0.1,
  late: 0.25,
  refusedByProvider: 0.1,
  garbled: 0.03,
  nodeError: 0.08,
  answeredNull: 0.08,
  gap: 0.1,
}
/** No request arrives, or no answer returns. */
const DARK: FaultRates = { ...CLEAR, requestLost: 1 }
const DEAF: FaultRates = { ...CLEAR, replyLost: 0.97 }

const SPELLS = { CLEAR, CHANGEABLE, STORM, DARK, DEAF } as const
type Spell = keyof typeof SPELLS

export type ClimateName = 'everything' | 'forks' | 'network' | 'crashes' | 'no forks'

/**
 * How the spells are mixed, whether slots are forked away, how far nodes lag, how often the process dies and the disk
 * fails.
 */
export interface Climate {
  readonly name: ClimateName
  readonly spells: Readonly<Record<Spell, number>>
  readonly forks: boolean
  readonly lag: boolean
  /** Per step. */
  readonly crash: number
  /** Per write. */
  readonly diskFails: number
  readonly clockJumps: boolean
}

const MIXED = { CLEAR: 3, CHANGEABLE: 5, STORM: 2, DARK: 0.5, DEAF: 0.7 }
const CLIMATES: readonly Climate[] = [
  { name: 'everything', spells: MIXED, forks: true, lag: true, crash: 1 / 1_500, diskFails: 1 / 400, clockJumps: true },
  {
    name: 'forks',
    spells: { CLEAR: 3, CHANGEABLE: 3, STORM: 1, DARK: 0.2, DEAF: 0.2 },
    forks: true,
    lag: false,
    crash: 1 / 6_000,
    diskFails: 0,
    clockJumps: false,
  },
  {
    name: 'network',
    spells: { ...MIXED, STORM: 6, DARK: 2, DEAF: 2 },
    forks: false,
    lag: true,
    crash: 1 / 8_000,
    diskFails: 0,
    clockJumps: false,
  },
  { name: 'crashes', spells: MIXED, forks: false, lag: false, crash: 1 / 300, diskFails: 1 / 150, clockJumps: true },
  {
    name: 'no forks',
    spells: MIXED,
    forks: false,
    lag: true,
    crash: 1 / 2_000,
    diskFails: 1 / 1_000,
    clockJumps: true,
  },
]

/** @param name absent: any */
export function climateOf(random: Random, name?: ClimateName): Climate {
  const any = random.pick(CLIMATES)
  return CLIMATES.find((each) => each.name === name) ?? any
}

export class Sky {
  readonly climate: Climate
  readonly #spells = new Map<string, FaultRates>()
  #healed = true

  constructor(climate: Climate) {
    this.climate = climate
  }

  /** No faults: before they begin, and after they stopped. */
  get healed(): boolean {
    return this.#healed
  }

  /** Phases follow each other for each endpoint separately, and sometimes for all of them. */
  blow(endpoint: string, random: Random, time: Time): void {
    const spell = random.weighted(this.climate.spells)
    const lastsMs = random.between(1_000, 30_000) * (spell === 'DARK' && random.chance(0.3) ? 6 : 1)
    this.#spells.set(endpoint, SPELLS[spell])
    time.plan(lastsMs, () => {
      if (!this.#healed) this.blow(endpoint, random, time)
    })
  }

  over(endpoint: string): FaultRates {
    return this.#healed ? CLEAR : (this.#spells.get(endpoint) ?? CLEAR)
  }

  begin(): void {
    this.#healed = false
  }

  heal(): void {
    this.#healed = true
  }
}
