// Questions of several callers share a statement, and a caller can wait for the next statement before it asks.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { StatementQueue } from '../../../snapshots/postgres/statement-queue.ts'

interface Sent {
  readonly questions: readonly string[]
  answer(): void
}

const PATIENCE_MS = 20
let sent: Sent[]

function open(patienceMs: number): StatementQueue<string, string> {
  sent = []
  return new StatementQueue({
    ask: (questions) =>
      new Promise((resolve) => {
        sent.push({ questions, answer: () => resolve(questions.map((question) => `answer to ${question}`)) })
      }),
    weightOf: () => 1,
    maxWeight: 3,
    patienceMs,
  })
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn()
}
/** More turns of the event loop than anything takes that waits for no statement. */
const settled = (): Promise<void> => turns(10)

describe('a statement queue', () => {
  let queue: StatementQueue<string, string>
  beforeEach(() => {
    queue = open(3_600_000)
  })

  it('sends what is asked during a statement with the next one, in order and up to its weight', async () => {
    const first = queue.ask('a')
    await settled()
    const others = ['b', 'c', 'd', 'e'].map((question) => queue.ask(question))
    await settled()
    expect(sent.map(({ questions }) => questions)).toEqual([['a']])
    sent[0]!.answer()
    expect(await first).toBe('answer to a')
    await settled()
    sent[1]!.answer()
    await settled()
    sent[2]!.answer()
    expect(await Promise.all(others)).toEqual(['b', 'c', 'd', 'e'].map((question) => `answer to ${question}`))
    expect(sent.map(({ questions }) => questions)).toEqual([['a'], ['b', 'c', 'd'], ['e']])
  })

  it('calls those that wait for the next statement once, just before it, and sends what they ask', async () => {
    void queue.ask('a')
    await settled()
    const collected = ['b']
    const late = queue.beforeNext().then(() => queue.ask(collected.join('+')))
    void queue.ask('x')
    await settled()
    // It still collects while the statement runs.
    collected.push('c')
    expect(sent).toHaveLength(1)
    sent[0]!.answer()
    await settled()
    expect(sent.map(({ questions }) => questions)).toEqual([['a'], ['x', 'b+c']])
    sent[1]!.answer()
    expect(await late).toBe('answer to b+c')
  })

  it('calls them at once if no statement runs, also if they ask nothing', async () => {
    await queue.beforeNext()
    await settled()
    expect(sent).toEqual([])
    await queue.beforeNext()
    const answer = queue.ask('a')
    await settled()
    sent[0]!.answer()
    expect(await answer).toBe('answer to a')
  })
})

describe('a statement that takes too long', () => {
  it('returns the waiting questions, and calls those that wait for the next statement', async () => {
    const queue = open(PATIENCE_MS)
    const slow = queue.ask('a')
    await settled()
    const waiting = queue.ask('b')
    await queue.beforeNext()
    expect(await waiting).toBeUndefined()
    // As long as it runs, no one waits for it.
    await queue.beforeNext()
    expect(await queue.ask('c')).toBeUndefined()
    sent[0]!.answer()
    expect(await slow).toBe('answer to a')
    expect(sent).toHaveLength(1)
  })
})
