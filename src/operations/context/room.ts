// How many open records of a kind a tenant may have.
import { badRequest } from '../../contract/refusal.ts'
import type { Platform } from './platform.ts'

export interface Room {
  /** Of the open records of the tenant. */
  readonly key: string
  readonly most: number
  readonly code: string
  /** For the message, e.g. `schedules that have not ended`. */
  readonly what: string
}

/** Throws 400 with the code if the tenant has as many records as it may have. */
export function requireRoom({ engine }: Pick<Platform, 'engine'>, { key, most, code, what }: Room): void {
  if (engine.directory.find(key).length >= most) throw badRequest(code, `a tenant has at most ${most} ${what}`, '')
}
