// Renders the stored `itemData` of a request, in which amounts are decimal text.
import { decimalJson } from '../../../../machines/amount.ts'
import type { JsonObject, JsonValue } from '../../../contract/call.ts'

const AMOUNTS: ReadonlySet<string> = new Set([
  'above',
  'amount',
  'cap',
  'lamports',
  'limitAmount',
  'maxSupply',
  'originationCap',
  'seedAmount',
  'seedLamports',
])

export function shownObject(value: unknown): JsonObject {
  return shownItemData(value as JsonValue) as JsonObject
}

/** Renders amounts as in all answers: as a number if it prints exactly. */
function shownItemData(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((each: JsonValue) => shownItemData(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([member, each]) => [
      member,
      AMOUNTS.has(member) && typeof each === 'string' ? decimalJson(each) : shownItemData(each ?? null),
    ]),
  )
}
