// Replaces the clock, the timers and the random numbers of the machine by those of a simulated world, for libraries
// that use them.
import { syncBuiltinESMExports } from 'node:module'
import promises from 'node:timers/promises'
import type { Clock, Timer } from '../../src/time/clock.ts'

interface Handle {
  readonly timer: { current: Timer }
  ref(): Handle
  unref(): Handle
  hasRef(): boolean
  [Symbol.dispose](): void
}

/** Returns a function that restores those of the machine. `clock` returns that of the present process. */
export function takeOverMachine(clock: () => Clock): () => void {
  const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = globalThis
  const { now } = Date
  const { random } = Math
  const elapsed = performance.now.bind(performance)

  const handleOf = (timer: { current: Timer }): Handle => {
    const handle: Handle = {
      timer,
      ref: () => handle,
      unref: () => handle,
      hasRef: () => true,
      [Symbol.dispose]: () => clock().clearTimeout(timer.current),
    }
    return handle
  }
  const clear = (handle?: unknown): void => {
    const { timer } = (handle ?? {}) as Partial<Handle>
    if (timer !== undefined) clock().clearTimeout(timer.current)
  }
  const timers = {
    setTimeout: (work: (...args: unknown[]) => void, delayMs = 1, ...args: unknown[]) =>
      handleOf({ current: clock().setTimeout(() => work(...args), delayMs) }),
    setInterval: (work: (...args: unknown[]) => void, delayMs = 1, ...args: unknown[]) => {
      const now = clock()
      const timer = { current: {} as Timer }
      const planNext = (): void => {
        timer.current = now.setTimeout(() => {
          planNext()
          work(...args)
        }, delayMs)
      }
      planNext()
      return handleOf(timer)
    },
    setImmediate: (work: (...args: unknown[]) => void, ...args: unknown[]) => clock().soon(() => work(...args)),
    clearTimeout: clear,
    clearInterval: clear,
  }
  Object.assign(globalThis, timers)
  Date.now = () => clock().now()
  Math.random = () => clock().random()
  performance.now = () => clock().elapsed()
  return () => {
    Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate })
    Date.now = now
    Math.random = random
    performance.now = elapsed
  }
}

/**
 * The same for `node:timers/promises`, as far as the service uses it. Returns a function that restores those of the
 * machine.
 */
export function takeOverPauses(clock: () => Clock): () => void {
  const { setTimeout, setImmediate } = promises
  Object.assign(promises, {
    setTimeout: <T>(delayMs: number, value?: T) =>
      new Promise<T | undefined>((resolve) => void clock().setTimeout(() => resolve(value), delayMs)),
    setImmediate: <T>(value?: T) => new Promise<T | undefined>((resolve) => clock().soon(() => resolve(value))),
  })
  syncBuiltinESMExports()
  return () => {
    Object.assign(promises, { setTimeout, setImmediate })
    syncBuiltinESMExports()
  }
}
