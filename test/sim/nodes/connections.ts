// The way between a node and the simulated database: statements that get lost or arrive late, answers that never come,
// connections that break, a node that is cut off.
import type { Connection, ResultRow, ServerFacts, Statement, Value } from '../../../snapshots/postgres/connection.ts'
import { NoAnswer } from '../../../snapshots/postgres/errors.ts'
import type { Timer } from '../../../src/time/clock.ts'
import type { Random } from '../random.ts'
import type { Tally } from '../audits/tally.ts'
import type { Life, Time } from '../time.ts'
import type { Duration, SimulatedDatabase } from './database.ts'
import { kindOf } from './statements.ts'
import type { RowsView } from './tables.ts'

const FACTS: ServerFacts = {
  version: 150_000,
  versionText: '15.0',
  encoding: 'UTF8',
  inRecovery: false,
  readOnly: false,
  fsync: 'on',
  fullPageWrites: 'on',
  synchronousCommit: 'on',
  synchronousStandbys: 'standby',
}

/** Probabilities per statement. */
export interface DatabaseFaultRates {
  readonly statementLost: number
  readonly statementLate: number
  readonly answerLost: number
  readonly answerLate: number
  /** A commit waits for the standby. */
  readonly commitSlow: number
}

const FINE: DatabaseFaultRates = { statementLost: 0, statementLate: 0, answerLost: 0, answerLate: 0, commitSlow: 0 }

export interface Surroundings {
  readonly time: Time
  readonly database: SimulatedDatabase
  readonly random: Random
  readonly tally: Tally
  readonly rates: () => DatabaseFaultRates
}

/** A commit on its way, to be delivered now or later. */
export type CommitOnItsWay = (took?: Duration) => void

/** The connections of one node. */
export class Cable {
  readonly around: Surroundings
  readonly life: Life
  /** Nothing passes, and nobody learns so. */
  isCut = false
  /** No look at the tables of nodes gets through. */
  isBlind = false
  /** Takes the next commit off its way. */
  onNextCommit: ((commit: CommitOnItsWay) => void) | null = null
  readonly #open = new Set<SimulatedConnection>()

  constructor(around: Surroundings, life: Life) {
    this.around = around
    this.life = life
  }

  get rates(): DatabaseFaultRates {
    return this.isCut ? { ...FINE, statementLost: 1 } : this.around.rates()
  }

  connect(boundMs: number): Promise<Connection> {
    const { time, database, random } = this.around
    return new Promise((resolve, reject) => {
      const away = (): void => reject(new NoAnswer('no connection', { connecting: true }))
      if (this.isCut) {
        time.plan(boundMs, away, this.life)
        return
      }
      const arrived = (): void => {
        if (!database.isUp) {
          away()
          return
        }
        const connection = new SimulatedConnection(this)
        this.#open.add(connection)
        resolve(connection)
      }
      time.plan(random.between(1, 10), arrived, this.life)
    })
  }

  /** The server is gone: the sockets say so. */
  broken(): void {
    for (const connection of this.#open)
      this.around.time.plan(1, () => connection.lost('the server is gone'), this.life)
    this.#open.clear()
  }

  forget(connection: SimulatedConnection): void {
    this.#open.delete(connection)
  }
}

class SimulatedConnection implements Connection {
  readonly facts = FACTS
  open = true
  readonly #cable: Cable
  readonly #generation: number
  /** Of the transaction; `wanted`: it takes its snapshot with the next statement. */
  #snapshot: RowsView | 'wanted' | null = null
  #underWay: { readonly fail: (error: NoAnswer) => void; readonly deadline: Timer } | null = null

  constructor(cable: Cable) {
    this.#cable = cable
    this.#generation = cable.around.database.generation
  }

  async query(statement: Statement, values: readonly Value[], boundMs: number): Promise<ResultRow[]> {
    return await this.#bounded(boundMs, (answered) => this.#send(statement, values, answered))
  }

  async script(text: string, boundMs: number): Promise<void> {
    await this.#bounded(boundMs, (answered) => {
      this.#snapshot = text.startsWith('BEGIN') ? 'wanted' : null
      this.#cable.around.time.plan(this.#hopMs(), () => answered([]), this.#cable.life)
    })
  }

  destroy(): void {
    this.lost('the connection is given up')
  }

  lost(reason: string): void {
    this.open = false
    this.#cable.forget(this)
    this.#end()?.fail(new NoAnswer(reason))
  }

  #bounded(boundMs: number, ask: (answered: (rows: ResultRow[]) => void) => void): Promise<ResultRow[]> {
    if (!this.open) return Promise.reject(new NoAnswer('the connection is lost'))
    const { time } = this.#cable.around
    return new Promise((resolve, reject) => {
      const deadline = time.plan(boundMs, () => this.lost(`nothing within ${boundMs} ms`), this.#cable.life)
      const underWay = { fail: reject, deadline }
      this.#underWay = underWay
      ask((rows) => {
        if (this.#underWay !== underWay) return
        this.#end()
        resolve(rows)
      })
    })
  }

  #end() {
    const statement = this.#underWay
    this.#underWay = null
    if (statement !== null) this.#cable.around.time.cancel(statement.deadline)
    return statement
  }

  #send(statement: Statement, values: readonly Value[], answered: (rows: ResultRow[]) => void): void {
    const { time, random, tally, database } = this.#cable.around
    const { rates, life } = this.#cable
    const fate = (kind: keyof typeof rates): boolean => random.chance(rates[kind]) && tally.fault(`database: ${kind}`)
    const statementKind = kindOf(statement)
    const isUnseen = this.#cable.isBlind && (statementKind.kind === 'nodes' || statementKind.kind === 'cells')
    if (isUnseen || fate('statementLost')) {
      this.#maybeBreak()
      return
    }
    const isLost = fate('answerLost')
    const isLate = fate('answerLate')
    const answer = (rows: ResultRow[]): void => {
      if (isLost) this.#maybeBreak()
      else time.plan(this.#hopMs() + (isLate ? random.between(100, 6_000) : 0), () => answered(rows), life)
    }
    if (statementKind.does === 'read') {
      const read = (then: (rows: ResultRow[]) => void): void => {
        if (this.#isServed()) then(database.read(statementKind.kind, values, this.#rows()))
      }
      if (isLost || isLate) time.plan(this.#hopMs(), () => read(answer))
      else time.plan(2 * this.#hopMs(), () => read(answered), life)
      return
    }
    const hopMs = this.#hopMs() + (fate('statementLate') ? random.between(100, 8_000) : 0)
    const tookMs = fate('commitSlow') ? random.between(50, 6_000) : random.between(0.2, 6)
    const deliver = (took: Duration = tookMs): void => {
      // A statement that was held back on its way arrives although its sender has given the connection up.
      if (this.#isServed()) database.write(statementKind.kind, statement, values, took, answer)
    }
    const take = statementKind.kind === 'commit' ? this.#cable.onNextCommit : null
    if (take === null) {
      time.plan(hopMs, deliver)
      return
    }
    this.#cable.onNextCommit = null
    take(deliver)
  }

  #maybeBreak(): void {
    const { time, random } = this.#cable.around
    if (random.chance(0.7)) time.plan(random.between(1, 50), () => this.lost('the connection broke'), this.#cable.life)
  }

  #isServed(): boolean {
    const { database } = this.#cable.around
    return database.isUp && database.generation === this.#generation
  }

  #rows(): RowsView {
    const { tables } = this.#cable.around.database
    if (this.#snapshot === 'wanted') this.#snapshot = tables.snapshot()
    return this.#snapshot ?? tables.rows
  }

  #hopMs(): number {
    return this.#cable.around.random.between(0.1, 1.5)
  }
}
