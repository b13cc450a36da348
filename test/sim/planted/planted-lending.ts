// Planted bugs of loans and feeds. The simulator must find each.
import { ofKind, type RecordState } from '../../../src/engine/records/record.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { accruedInterest } from '../../../machines/lending/interest.ts'
import { outstandingPrincipal, type Debt } from '../../../machines/lending/loan-books.ts'
import { openLink } from '../../../src/submission/link.ts'
import type { AssemblyParts } from '../../../src/service/assemble.ts'
import { changedLink, type Planted } from './planted.ts'

type OpenLink = NonNullable<AssemblyParts['openLink']>

/** Replaces the records that were read from disk. */
export function replaceLoaded(engine: Engine, replace: (record: RecordState) => RecordState | null): void {
  for (const entry of [...engine.directory.entries()]) {
    const before = entry.head
    const next = replace(before)
    if (next === null) continue
    entry.head = next
    engine.moved(entry, before, next)
    entry.committed = next
  }
}

function withDebts(record: RecordState, change: (debt: Debt) => Debt): RecordState | null {
  const loan = ofKind(record, 'loan')
  return loan === undefined ? null : { ...loan, context: { ...loan.context, debts: loan.context.debts.map(change) } }
}

/** At a start the interest since the last change is added, and the time of the last change stays. */
export const countsInterestTwice: Planted = ({ engine }) => {
  const now = Math.floor(Date.now() / 1000)
  replaceLoaded(engine, (record) =>
    withDebts(record, (debt) => {
      const accrued = accruedInterest(
        outstandingPrincipal(debt),
        BigInt(debt.apy),
        BigInt(Math.max(0, now - debt.updatedAt)),
      )
      return { ...debt, interest: (BigInt(debt.interest) + accrued).toString() }
    }),
  )
  return {}
}

/** The liquidation ratio decides about releases. */
export const judgesByLiquidation: Planted = ({ engine }) => {
  const lax = (debt: Debt): Debt => ({
    ...debt,
    terms: debt.terms.map((each) => ({ ...each, loanToValueRatio: each.liquidationRatio })),
  })
  replaceLoaded(engine, (record) => withDebts(record, lax))
  engine.onCommitted((changes) => {
    for (const { next } of changes) {
      const entry = engine.directory.resident(next.id)
      const loan = withDebts(next, lax)
      if (loan !== null && entry?.head === next) Object.assign(entry, { head: loan, committed: loan })
    }
  })
  return {}
}

/** A repayment counts from the moment it is submitted. */
export const countsUnsentRepayments: Planted = ({ engine }) => {
  const isRepayment = (id: string): boolean => {
    const entries = ofKind(engine.directory.resident(id)?.head, 'transaction')?.context.fixed.entries ?? []
    const changes = entries.flatMap(({ facts }) =>
      facts.map(({ event }) => (event['change'] ?? {}) as { readonly payments?: readonly object[] }),
    )
    return changes.some(({ payments = [] }) => payments.length > 0)
  }
  const open: OpenLink = (cluster, clock, listener) => {
    const link = openLink(cluster, clock, listener)
    return changedLink(link, {
      submit(submission) {
        link.submit(submission)
        const { transactionId, signature, blockhashSlot } = submission
        if (signature === null || !isRepayment(transactionId)) return
        const sighting = {
          kind: 'seen',
          commitment: 'confirmed',
          slot: blockhashSlot + 1,
          blockTime: null,
          error: null,
        } as const
        clock.soon(() => listener.onFacts([{ ...sighting, transactionId, signature, atMs: clock.now() }]))
      },
    })
  }
  return { openLink: open }
}

/** At a start the assigned sequence numbers of feeds are unknown. */
export const forgetsSequences: Planted = ({ engine }) => {
  replaceLoaded(engine, (record) => {
    const source = ofKind(record, 'dataSource')
    return source === undefined ? null : { ...source, context: { ...source.context, issued: 0 } }
  })
  return {}
}
