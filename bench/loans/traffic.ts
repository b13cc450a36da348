// Complete loans: created, repaid with release of the collateral, closed. The next step of an answered loan is sent
// before a new loan is created. An answer counts if its transaction has settled.
import { requestHead, type Target, type Traffic } from '../load/traffic.ts'

export interface LoanSettings {
  readonly apiKey: string
  /** Address of the vault. */
  readonly vault: string
  /** Offchain ids. */
  readonly cash: string
  readonly shares: string
  readonly borrowers: readonly string[]
  /** Raw units. */
  readonly principal: string
  readonly pledge: string
}

export interface LoanTally {
  readonly created: number
  readonly repaid: number
  readonly closed: number
  /** Signatures of the last complete loan: created, repaid, closed. */
  readonly cycle: readonly string[] | null
}

export interface Step {
  readonly kind: 'create' | 'repay' | 'close'
  readonly borrower: string
  /** Offchain id; empty before the loan is created. */
  readonly escrow: string
  readonly signatures: readonly string[]
}

interface Answer {
  readonly newLoan?: { readonly offchainId: string }
  readonly chainTransaction: { readonly onchainId: string; readonly success: boolean; readonly status: string }
}

const QUERY = '?chainClusterId=CHAIN_DEVNET'
const SETTLED = new Set(['CONFIRMED', 'FINALIZED'])
const PLACES = {
  create: { method: 'POST', path: `/api/v1/loans${QUERY}`, status: 201 },
  repay: { method: 'PATCH', path: `/api/v1/loans/repay${QUERY}`, status: 200 },
  close: { method: 'PATCH', path: `/api/v1/loans/close${QUERY}`, status: 200 },
} as const
const NEXT = { create: 'repay', repay: 'close' } as const

export function traffic(target: Target, settings: LoanSettings): Traffic {
  const { apiKey, borrowers } = settings
  const ready: Step[] = []
  const sent = new Map<number, Step>()
  const done = { create: 0, repay: 0, close: 0 }
  let cycle: readonly string[] | null = null
  let count = 0
  let started = 0
  const begin = (): Step => {
    const borrower = borrowers[started % borrowers.length]!
    started += 1
    return { kind: 'create', borrower, escrow: '', signatures: [] }
  }
  return {
    next() {
      const token = count
      count += 1
      const step = ready.shift() ?? begin()
      sent.set(token, step)
      const body = JSON.stringify({ itemData: itemOf(step, settings) })
      const { method, path } = PLACES[step.kind]
      return {
        text:
          requestHead(target, method, path, {
            bodyLength: body.length,
            headers: { Authorization: `Bearer ${apiKey}` },
          }) + body,
        token,
      }
    },
    accept(token, { status, body }) {
      const step = sent.get(token)!
      sent.delete(token)
      if (status !== PLACES[step.kind].status) return `${step.kind}: ${status} ${body}`
      const { newLoan, chainTransaction } = JSON.parse(body) as Answer
      if (!chainTransaction.success || !SETTLED.has(chainTransaction.status)) return `${step.kind}: ${body}`
      done[step.kind] += 1
      const signatures = [...step.signatures, chainTransaction.onchainId]
      if (step.kind === 'close') cycle = signatures
      else ready.push({ ...step, kind: NEXT[step.kind], escrow: newLoan?.offchainId ?? step.escrow, signatures })
      return null
    },
    tally: (): LoanTally => ({ created: done.create, repaid: done.repay, closed: done.close, cycle }),
  }
}

export function itemOf(
  { kind, borrower, escrow }: Step,
  { vault, cash, shares, principal, pledge }: LoanSettings,
): object {
  const held = (instrument: string) => ({
    owner: { offchainId: borrower },
    financialInstrument: { offchainId: instrument },
  })
  switch (kind) {
    case 'create':
      return {
        defiProtocol: 'ESCROW_VAULT',
        lendingDetails: { loanStrategyAddress: vault },
        itemsToBorrow: [{ positionLookup: held(cash), lamports: principal }],
        itemsToPledge: [{ positionLookup: held(shares), lamports: pledge }],
      }
    case 'repay':
      return {
        defiProtocol: 'ESCROW_VAULT',
        escrow: { offchainId: escrow },
        itemsToRepay: [{ positionLookup: held(cash), repayAll: true }],
        itemsToRelease: [{ positionLookup: held(shares), lamports: pledge }],
      }
    case 'close':
      return { defiProtocol: 'ESCROW_VAULT', escrow: { offchainId: escrow } }
  }
}
