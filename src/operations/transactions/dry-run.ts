// A dry run takes the path of a write up to the use of a key. Its unit of work is discarded, and its outcome is a
// report of its findings.
import type { Effect } from '../../solana/table/effect.ts'
import type { BookEntry } from '../../../machines/transactions/transaction-record.ts'
import type { Review } from '../authorization/destinations/policy.ts'
import type { LimitInputs, Verdict } from '../authorization/limits/assess.ts'
import { limitedVerdicts } from '../authorization/limits/enforce.ts'
import { shownLimit } from '../authorization/limits/exceeded.ts'
import type { Context } from '../context/platform.ts'
import type { Draft } from './draft.ts'
import { rawJson } from '../views/read-models/amounts.ts'
import type { DryRun, JsonObject, Outcome } from '../../contract/call.ts'
import type { DryRunModel } from '../../contract/schemas/answers.ts'

export interface DryRunFindings {
  readonly feeLamports: bigint
  readonly sizeBytes: number
  readonly accounts: readonly string[]
  readonly signers: readonly { readonly onchainId: string; readonly managed: boolean }[]
  readonly verdicts: readonly Verdict[]
  /** Payments to counterparties under review. */
  readonly reviews: readonly Review[]
  /** Inputs on which limits and policies were evaluated. */
  readonly inputs: LimitInputs
  /** Ledger effects on records. */
  readonly entries: readonly BookEntry[]
  /** Rent of the accounts that the transaction creates. */
  readonly rentLamports: bigint
  readonly covered: boolean
  readonly message: Uint8Array
}

const ONE = { transactionsCount: 1, further: [] } as const

/** The outcome of a write that was a dry run. */
export function dryOutcome<Members extends JsonObject>(dryRun: DryRun): Outcome<Members> {
  return { members: {} as Members, transactions: [], shape: 'bare', awaited: 'signed', dryRun }
}

/** Of an operation that takes several transactions, it shows the first, with the fees and the limits of all. */
export class TransactionDryRun implements DryRun {
  readonly findings: DryRunFindings
  readonly #context: Context
  readonly #transactionsCount: number
  readonly #further: readonly DryRunFindings[]

  /** @param plan the number of transactions, and the findings of those after the first that can be built already */
  constructor(
    context: Context,
    findings: DryRunFindings,
    plan: { readonly transactionsCount: number; readonly further: readonly DryRunFindings[] } = ONE,
  ) {
    this.#context = context
    this.findings = findings
    this.#transactionsCount = plan.transactionsCount
    this.#further = plan.further
  }

  ofPlan(transactionsCount: number, further: readonly DryRunFindings[]): TransactionDryRun {
    return new TransactionDryRun(this.#context, this.findings, { transactionsCount, further })
  }

  /** Includes a simulation of the unsigned message. */
  async report(): Promise<DryRunModel['dryRun']> {
    const { platform, call } = this.#context
    const { sizeBytes, accounts, signers, message } = this.findings
    const all = [this.findings, ...this.#further]
    const simulation = await platform.clusters.get(call.cluster)?.simulate(message)
    return {
      ...(this.#transactionsCount === 1 ? {} : { transactionsCount: this.#transactionsCount }),
      feeLamports: rawJson(all.reduce((sum, { feeLamports }) => sum + feeLamports, 0n)),
      sizeBytes,
      accounts,
      signers: signers.map((signer) => ({ ...signer })),
      limits: limitedVerdicts(overTransactions(all.flatMap(({ verdicts }) => verdicts))).map(shownLimit),
      simulation:
        simulation === undefined
          ? null
          : { error: simulation.error, computeUnits: simulation.computeUnits, logs: simulation.logs },
    }
  }
}

/** The verdict on each limit once: windows on the sum of all transactions, other limits on the largest. */
function overTransactions(verdicts: readonly Verdict[]): Verdict[] {
  const whole = new Map<string, Verdict>()
  for (const verdict of verdicts) {
    const { account, limit, mint, allowed, used } = verdict
    const key = `${account.id} ${mint ?? ''} ${JSON.stringify(limit)}`
    const before = whole.get(key)
    if (before === undefined) whole.set(key, verdict)
    else if (limit.maxAllowedDebit?.limitType === 'DURATION') {
      const debit = before.debit + verdict.debit
      whole.set(key, { ...verdict, debit, exceeded: allowed !== null && used + debit > allowed })
    } else if (verdict.debit > before.debit) whole.set(key, verdict)
  }
  return [...whole.values()]
}

/** Lamports for token accounts in `rents`, for wallets, and for other accounts that the effects create. */
export function rentOf(
  { rents = new Map(), walletRent = 0n }: Pick<Draft, 'rents' | 'walletRent'>,
  effects: readonly Effect[],
): bigint {
  let sum = walletRent
  for (const lamports of rents.values()) sum += lamports
  for (const effect of effects) if (effect.kind === 'create' && !rents.has(effect.account)) sum += effect.lamports
  return sum
}
