// For checks made a hundred thousand times: what is the same costs no assertion of the library, and what is not gets
// its verdict and its message from one.
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'

export function expectSame(actual: unknown, expected: unknown, message?: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, message).toStrictEqual(expected)
}

export function expectIdentical(actual: unknown, expected: unknown): void {
  if (!Object.is(actual, expected)) expect(actual).toBe(expected)
}
