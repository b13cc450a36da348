// Answers of nodes that are wrong: an error in place of an answer, null where a history store failed, blocks left out.
import type { Random } from './random.ts'
import type { Tally } from './audits/tally.ts'
import type { FaultRates } from './faults.ts'

interface Call {
  readonly id: number
  readonly method: string
}

interface Answer {
  readonly jsonrpc: string
  readonly id: number
  result?: unknown
  error?: unknown
}

/** Answered from history: null is what a node says when its store fails. */
const FROM_HISTORY = new Set(['getTransaction', 'getBlock', 'getBlockTime'])
const ERRORS: readonly { readonly code: number; readonly message: string }[] = [
  { code: -32005, message: 'Node is behind by 42 slots' },
  { code: -32603, message: 'Internal error' },
  { code: -32004, message: 'Block not available for slot' },
  { code: -32016, message: 'Minimum context slot has not been reached' },
]

/** The text of an answer after the faults of the moment. */
export function spoiled(body: string, text: string, rates: FaultRates, random: Random, tally: Tally): string {
  if (rates.nodeError + rates.answeredNull + rates.gap === 0) return text
  const calls = JSON.parse(body) as Call | Call[]
  const methods = new Map((Array.isArray(calls) ? calls : [calls]).map(({ id, method }) => [id, method]))
  let changes = 0
  const spoil = (answer: Answer): Answer => {
    const method = methods.get(answer.id) ?? ''
    const kind = spoilt(method, rates, random)
    if (kind === null || answer.result === undefined) return answer
    tally.fault(kind)
    changes += 1
    const { jsonrpc, id } = answer
    if (kind === 'nodeError') return { jsonrpc, id, error: random.pick(ERRORS) }
    if (kind === 'answeredNull') return { jsonrpc, id, result: null }
    const slots = answer.result as number[]
    return { jsonrpc, id, result: slots.filter(() => !random.chance(0.05)) }
  }
  const answers = JSON.parse(text) as Answer | Answer[]
  const spoiltAnswers = Array.isArray(answers) ? answers.map(spoil) : spoil(answers)
  return changes > 0 ? JSON.stringify(spoiltAnswers) : text
}

function spoilt(method: string, rates: FaultRates, random: Random): 'nodeError' | 'answeredNull' | 'gap' | null {
  const roll = random.next()
  if (roll < rates.nodeError) return 'nodeError'
  if (FROM_HISTORY.has(method) && random.chance(rates.answeredNull)) return 'answeredNull'
  if (method === 'getBlocks' && random.chance(rates.gap)) return 'gap'
  return null
}
