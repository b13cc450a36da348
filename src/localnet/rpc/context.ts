// Commitment, minContextSlot and the context object of a response.

import type { Bank, Commitment } from '../contract.ts'
import { invalidParams, minContextSlotNotReached } from './error.ts'
import { configAt, oneOf, optionalCount } from './params.ts'
import type { Config, Params } from './params.ts'

/** The node version whose interface this server implements; clients that check it expect the form of a release. */
export const API_VERSION = '3.0.0'

const COMMITMENTS: readonly Commitment[] = ['processed', 'confirmed', 'finalized']

/** The commitment that a client names; `finalized` by default, as on a real node. */
export function commitmentOf(value: unknown): Commitment {
  return value === undefined || value === null ? 'finalized' : oneOf(value, COMMITMENTS)
}

/** Commitment of history methods, which do not support levels below `confirmed`. */
export function settledCommitment(value: unknown): Commitment {
  const commitment = commitmentOf(value)
  if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`')
  return commitment
}

export interface View {
  readonly commitment: Commitment
  readonly slot: number
}

/** The commitment and slot of a response. @throws -32016 when `minContextSlot` is ahead. */
export function viewOf(bank: Bank, config: Config): View {
  const commitment = commitmentOf(config['commitment'])
  const slot = bank.slot(commitment)
  const least = optionalCount(config['minContextSlot'])
  if (least !== undefined && slot < least) throw minContextSlotNotReached(slot)
  return { commitment, slot }
}

export function viewAt(bank: Bank, params: Params, index: number): View {
  return viewOf(bank, configAt(params, index))
}

/** `{ context, value }`, the response of every state method. */
export function withContext(
  slot: number,
  value: unknown,
): { context: { apiVersion: string; slot: number }; value: unknown } {
  return { context: { apiVersion: API_VERSION, slot }, value }
}
