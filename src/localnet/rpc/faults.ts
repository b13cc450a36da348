// Fault switches for tests: lost or late replies, lost requests, null or an error as the response, a lagging node, a
// duplicated send. Without a call of `holdfast_setFaults` every method is called directly; a chain started without
// faults has neither this object nor its methods.

import { DroppedReply, invalidParams, RpcError } from './error.ts'
import type { Method } from './method.ts'
import { booleanOf, configAt, countOf, isRecord, optionalCount, textOf, wrongType } from './params.ts'
import type { Params } from './params.ts'

interface ErrorFault {
  readonly code: number
  readonly message: string
  /** Whether the call is executed before its error is returned. */
  readonly execute: boolean
  times: number
}

interface Faults {
  readonly dropRequests: Map<string, number>
  readonly dropReplies: Map<string, number>
  readonly answerNull: Map<string, number>
  readonly delayMs: ReadonlyMap<string, number>
  readonly answerError: ReadonlyMap<string, ErrorFault>
  readonly behindSlots: number
  duplicateSends: number
}

const KNOWN = ['dropRequests', 'dropReplies', 'answerNull', 'delayMs', 'answerError', 'behindSlots', 'duplicateSends']
const ANY_METHOD = '*'

/** The switches of one server. Each `set` replaces all of them; `{}` clears. */
export class FaultSwitches {
  #faults: Faults | null = null

  /** Slots by which responses lag. */
  behind = (): number => this.#faults?.behindSlots ?? 0

  /**
   * `holdfast_setFaults`: `{ dropRequests, dropReplies, answerNull: { method: times }, delayMs: { method | "*": ms },
   * answerError: { method: { code, message, times, execute } }, behindSlots, duplicateSends }`.
   */
  set: Method = (params: Params) => {
    const config = configAt(params, 0)
    const unknown = Object.keys(config).find((key) => !KNOWN.includes(key))
    if (unknown !== undefined) throw invalidParams(`Invalid params: unknown fault \`${unknown.slice(0, 64)}\``)
    this.#faults = {
      dropRequests: counts(config['dropRequests']),
      dropReplies: counts(config['dropReplies']),
      answerNull: counts(config['answerNull']),
      delayMs: counts(config['delayMs']),
      answerError: errors(config['answerError']),
      behindSlots: optionalCount(config['behindSlots']) ?? 0,
      duplicateSends: optionalCount(config['duplicateSends']) ?? 0,
    }
    return true
  }

  /** The method with the faults that are set for its name. */
  wrap(name: string, method: Method): Method {
    return (params) => (this.#faults === null ? method(params) : this.#run(this.#faults, name, method, params))
  }

  async #run(faults: Faults, name: string, method: Method, params: Params): Promise<unknown> {
    if (spend(faults.dropRequests, name)) throw new DroppedReply()
    const error = faults.answerError.get(name)
    const failing = error !== undefined && error.times > 0
    if (failing) error.times -= 1
    if (failing && !error.execute) throw new RpcError(error.code, error.message)
    const outcome = await settled(method, params)
    if (name === 'sendTransaction' && faults.duplicateSends > 0) {
      faults.duplicateSends -= 1
      await settled(method, params)
    }
    const delayMs = faults.delayMs.get(name) ?? faults.delayMs.get(ANY_METHOD) ?? 0
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    if (spend(faults.dropReplies, name)) throw new DroppedReply()
    if (failing) throw new RpcError(error.code, error.message)
    if ('error' in outcome) throw outcome.error
    return spend(faults.answerNull, name) ? nullsFor(outcome.value) : outcome.value
  }
}

async function settled(method: Method, params: Params): Promise<{ value: unknown } | { error: unknown }> {
  try {
    return { value: await method(params) }
  } catch (error) {
    return { error }
  }
}

function spend(counted: Map<string, number>, name: string): boolean {
  const remaining = counted.get(name) ?? 0
  if (remaining === 0) return false
  counted.set(name, remaining - 1)
  return true
}

// The response of a node whose history store failed: null, or nulls in place of all values.
function nullsFor(value: unknown): unknown {
  if (!isRecord(value) || !Object.hasOwn(value, 'context')) return null
  const inner = value['value']
  return { ...value, value: Array.isArray(inner) ? inner.map(() => null) : null }
}

function counts(value: unknown): Map<string, number> {
  if (value === undefined) return new Map()
  if (!isRecord(value)) throw wrongType(value, 'a map')
  return new Map(Object.entries(value).map(([name, count]) => [name, countOf(count)]))
}

function errors(value: unknown): Map<string, ErrorFault> {
  if (value === undefined) return new Map()
  if (!isRecord(value)) throw wrongType(value, 'a map')
  return new Map(
    Object.entries(value).map(([name, fault]) => {
      if (!isRecord(fault)) throw wrongType(fault, 'a map')
      const code = fault['code']
      if (typeof code !== 'number' || !Number.isInteger(code)) throw wrongType(code, 'i64')
      const execute = booleanOf(fault['execute'], false)
      return [name, { code, message: textOf(fault['message']), execute, times: optionalCount(fault['times']) ?? 1 }]
    }),
  )
}
