// A transaction in one sentence: who sent what to whom, and who paid the fee.
import type { VNode } from 'preact'
import type { Answer } from './api.ts'
import { grouped, Text } from './text.tsx'
import { listAt, textAt } from './value.ts'

/** Number of movements that are described; of the others only their number is shown. */
const MAX_DESCRIBED = 3
const DONE = new Set(['CONFIRMED', 'FINALIZED'])
const ENDED = new Set(['BLOCKCHAIN_ERROR', 'NON_BLOCKCHAIN_ERROR', 'EXPIRED', 'CANCELLED'])

type Tense = 'done' | 'open' | 'ended'

const VERBS = {
  send: { done: 'sent', open: 'sends', ended: 'was to send' },
  mint: { done: 'were minted to', open: 'are minted to', ended: 'were to be minted to' },
  burn: { done: 'burned', open: 'burns', ended: 'was to burn' },
  freeze: { done: 'was frozen', open: 'is frozen', ended: 'was to be frozen' },
  unfreeze: { done: 'was unfrozen', open: 'is unfrozen', ended: 'was to be unfrozen' },
} as const

/** @param withPayer also who paid the fee */
export function sentenceOf(item: Answer, withPayer: boolean): string {
  const status = textAt(item, 'status') ?? ''
  const tense: Tense = DONE.has(status) ? 'done' : ENDED.has(status) ? 'ended' : 'open'
  const movements = listAt(item, 'movements')
  const described = movements.slice(0, MAX_DESCRIBED).map((movement) => clauseOf(movement, tense))
  const further = movements.length - described.length
  const clauses = further > 0 ? [...described, `${further} more`] : described
  const what = clauses.length > 0 ? clauses.join('; ') : workOf(item)
  const payer = textAt(item, 'feePayerName') ?? shortened(textAt(item, 'feePayer.onchainId') ?? '')
  return withPayer && payer !== '' ? `${what}, fee paid by ${payer}` : what
}

export function Sentence({ of, withPayer = false }: { of: Answer; withPayer?: boolean }): VNode {
  return <Text>{sentenceOf(of, withPayer)}</Text>
}

function clauseOf(movement: unknown, tense: Tense): string {
  const [from, to] = [partyName(movement, 'source'), partyName(movement, 'destination')]
  const symbol = shortened(textAt(movement, 'symbol') ?? '')
  const amount = textAt(movement, 'amount')
  const sum = amount === null ? `an amount of ${symbol}` : `${grouped(amount)} ${symbol}`
  switch (textAt(movement, 'type')) {
    case 'MINT':
      return `${sum} ${VERBS.mint[tense]} ${to}`
    case 'BURN':
      return `${from} ${VERBS.burn[tense]} ${sum}`
    case 'FREEZE':
      return `the ${symbol} position of ${to} ${VERBS.freeze[tense]}`
    case 'UNFREEZE':
      return `the ${symbol} position of ${to} ${VERBS.unfreeze[tense]}`
    default:
      return `${from} ${VERBS.send[tense]} ${sum} to ${to}`
  }
}

function partyName(movement: unknown, side: string): string {
  return textAt(movement, `${side}.name`) ?? shortened(partyAddress(movement, side))
}

/** For a token account its owner, if known. */
function partyAddress(movement: unknown, side: string): string {
  return textAt(movement, `${side}.ownerOnchainId`) ?? textAt(movement, `${side}.onchainId`) ?? ''
}

/** Work of several instructions, in plain words. */
const WORK: readonly (readonly [RegExp, string])[] = [
  [/^INITIALIZE_MINT/, 'New token'],
  [/^INITIALIZE_NONCE/, 'New nonce account'],
  [/^CREATE_LOOKUP_TABLE/, 'New lookup table'],
  [/^CREATE_ASSOCIATED/, 'New position'],
  [/METADATA/, 'Change of the metadata of a token'],
]

/** If nothing moves: the main instructions. */
function workOf(item: Answer): string {
  const types = listAt(item, 'instructions')
    .map((instruction) => textAt(instruction, 'type') ?? '')
    .filter((type) => !/COMPUTE|MEMO|ADVANCE/i.test(type))
  // The account of a feed is a mint too.
  if (textAt(item, 'endpoint')?.includes('/market-data/') === true) return 'Data source'
  const known = WORK.find(([pattern]) => types.some((type) => pattern.test(type)))
  if (known !== undefined) return known[1]
  const words = [...new Set(types)].map((type) => type.replaceAll('_', ' ').toLowerCase()).join(', ')
  return words === '' ? 'Moves nothing' : words.charAt(0).toUpperCase() + words.slice(1)
}

function shortened(text: string): string {
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) ? `${text.slice(0, 6)}…${text.slice(-6)}` : text
}

/** Names of the addresses that a transaction names. */
export function namesOf(item: Answer): ReadonlyMap<string, string> {
  const parties = listAt(item, 'movements').flatMap((movement) =>
    ['source', 'destination'].flatMap((side) => {
      const name = textAt(movement, `${side}.name`)
      const addresses = [textAt(movement, `${side}.onchainId`), textAt(movement, `${side}.ownerOnchainId`)]
      return name === null ? [] : addresses.flatMap((address) => (address === null ? [] : [[address, name] as const]))
    }),
  )
  const payer = [textAt(item, 'feePayer.onchainId'), textAt(item, 'feePayerName')]
  return new Map([...parties, ...(payer.every((each) => each !== null) ? [payer as [string, string]] : [])])
}
