// Requests that change something. What is sent is kept in the session storage of this tab until the service has
// answered it, so that neither a reload nor another page loses its idempotency key: sent again, it has one effect.
import { change, changeOf, RequestRefused, type Answer, type Change } from './api.ts'
import { current, watchSession } from './session.ts'

/** A request that was sent and has no answer. */
export interface UnansweredChange extends Change {
  /** It is repeated with this key only: for another one it would be another request. */
  readonly keyId: string
  /** ISO 8601. */
  readonly sentAt: string
}

const STORED = 'holdfast.unanswered'

/** Idempotency keys of requests that a form has sent and that are under way. */
const underWay = new Set<string>()
/** Idempotency keys of requests that a form of this page shows, and repeats itself. */
const attended = new Set<string>()
const watchers = new Set<() => void>()

/**
 * Changes something. The same key with the same body has one effect, however often it is sent. Until `abandon` is
 * called, its form repeats it.
 * @param feePayer record of the account that pays for the transaction; null: the service chooses
 */
export async function order(
  method: Change['method'],
  path: string,
  itemData: object,
  { idempotencyKey, feePayer }: { readonly idempotencyKey: string; readonly feePayer: string | null },
): Promise<Answer> {
  attended.add(idempotencyKey)
  underWay.add(idempotencyKey)
  try {
    return await send(changeOf(method, path, itemData, { idempotencyKey, feePayer }))
  } finally {
    underWay.delete(idempotencyKey)
    notifyWatchers()
  }
}

/** The form of the request is closed: if it has no answer, `unanswered` lists it. */
export function abandon(idempotencyKey: string): void {
  if (attended.delete(idempotencyKey)) notifyWatchers()
}

/** Requests of the session without an answer that no form of this page repeats, the oldest first. */
export function unanswered(): readonly UnansweredChange[] {
  const keyId = current()?.identity.keyId
  return stored().filter(
    (each) => each.keyId === keyId && !underWay.has(each.idempotencyKey) && !attended.has(each.idempotencyKey),
  )
}

export async function repeat(request: UnansweredChange): Promise<Answer> {
  return await send(request)
}

export function forget({ idempotencyKey }: Pick<Change, 'idempotencyKey'>): void {
  store(stored().filter((each) => each.idempotencyKey !== idempotencyKey))
}

export function watchUnanswered(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

/**
 * True if the service refused the request, so that it has no effect. A request that was sent before without an answer
 * is refused for good only by its own answer, which is repeated with every attempt.
 */
export function isAnswer(error: unknown, wasSentBefore: boolean): boolean {
  if (!(error instanceof RequestRefused)) return false
  const { status } = error
  return status === 400 || status === 409 || (!wasSentBefore && status > 400 && status < 500 && status !== 408)
}

async function send(request: Change): Promise<Answer> {
  const { idempotencyKey } = request
  const wasSentBefore = stored().some((each) => each.idempotencyKey === idempotencyKey)
  const keyId = current()?.identity.keyId
  if (!wasSentBefore && keyId !== undefined)
    store([...stored(), { ...request, keyId, sentAt: new Date().toISOString() }])
  try {
    const answer = await change(request)
    forget(request)
    return answer
  } catch (error) {
    if (isAnswer(error, wasSentBefore)) forget(request)
    throw error
  }
}

function stored(): readonly UnansweredChange[] {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? '[]') as UnansweredChange[]
  } catch {
    return []
  }
}

function store(requests: readonly UnansweredChange[]): void {
  try {
    if (requests.length === 0) sessionStorage.removeItem(STORED)
    else sessionStorage.setItem(STORED, JSON.stringify(requests))
  } catch {
    // The storage is full, as by a large batch: while its form is open, the request can be repeated there.
  }
  notifyWatchers()
}

function notifyWatchers(): void {
  for (const watcher of watchers) watcher()
}

// The next person at this tab does not see what was sent.
watchSession(() => {
  if (current() === null) store([])
})
