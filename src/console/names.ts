// Names of accounts that an answer refers to by id only. Each name is requested once per session, a few at a time.
import { read, type Answer } from './api.ts'
import { useLoaded } from './loading.tsx'
import { current, may, type Session } from './session.ts'
import { textAt } from './value.ts'

const AT_ONCE = 4
const TOKENS = new Set(['ASSET_TOKEN', 'FUNDS_TOKEN'])
const POSITIONS = new Set(['ASSET_TOKEN_ACCOUNT', 'FUNDS_TOKEN_ACCOUNT'])

/** A change of the organization or of the cluster begins another session. */
const known = new WeakMap<Session, Map<string, Promise<string | null>>>()
const waiting: (() => void)[] = []
let asking = 0

export type NameQuery = { readonly offchainId: string } | { readonly onchainId: string }

/**
 * @param name the name, if the answer has it
 * @param by null: nothing is known of it that has a record
 * @returns null while it is not known, if there is none, and for a key that may not read accounts
 */
export function useName(name: string | null, by: NameQuery | null): string | null {
  const isAsked = (name === null || name === '') && by !== null
  const asked = useLoaded(isAsked ? JSON.stringify(by) : null, async () => (by === null ? null : await nameOf(by)))
  return name === null || name === '' ? asked.value : name
}

export const byId = (offchainId: string | null): NameQuery | null => (offchainId === null ? null : { offchainId })

function nameOf(lookup: NameQuery): Promise<string | null> {
  const session = current()
  if (session === null || !may('ACCOUNTS_READ')) return Promise.resolve(null)
  const names = known.get(session) ?? new Map<string, Promise<string | null>>()
  known.set(session, names)
  const key = JSON.stringify(lookup)
  const before = names.get(key)
  if (before !== undefined) return before
  const asked = inTurn(async () => nameIn(await read('/accounts/single', lookup))).catch(() => null)
  names.set(key, asked)
  return asked
}

/** For a token, its symbol. */
export function nameIn(account: Answer): string | null {
  const type = textAt(account, 'offchain.type') ?? ''
  const symbol = textAt(account, 'symbol')
  const own = [textAt(account, 'offchain.code'), textAt(account, 'offchain.name')]
  const position = POSITIONS.has(type) && symbol !== null ? `${symbol} position` : null
  const names = TOKENS.has(type) ? [symbol, ...own] : [...own, position]
  return names.find((each) => each !== null && each !== '') ?? null
}

async function inTurn<T>(ask: () => Promise<T>): Promise<T> {
  if (asking >= AT_ONCE) await new Promise<void>((resolve) => void waiting.push(resolve))
  asking += 1
  try {
    return await ask()
  } finally {
    asking -= 1
    waiting.shift()?.()
  }
}
