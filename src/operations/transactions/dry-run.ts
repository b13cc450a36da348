// A dry run takes the path of a write up to the use of a key. Its unit of work is discarded, and its outcome is a
// report of its findings.
import type { Effect } from '../../solana/table/effect.ts'
import type { BookEntry } from '../../../machines/transactions/transaction-record.ts'
import type { Review } from '../authorization/destinations/policy.ts'
import type { LimitInputs, Verdict } from '../authorization/limits/assess.ts'
import { limitedVerdicts } from '../authorization/limits/enforce.ts'
import { shownLimit } from '../authorization/limits/exceeded.ts'
import type { Context } from '../context/platform.ts'
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

/** The outcome of a write that was a dry run. */
export function dryOutcome<Members extends JsonObject>(dryRun: DryRun): Outcome<Members> {
  return { members: {} as Members, transactions: [], shape: 'bare', awaited: 'signed', dryRun }
}

export class TransactionDryRun implements DryRun {
  readonly findings: DryRunFindings
  readonly #context: Context

  constructor(context: Context, findings: DryRunFindings) {
    this.#context = context
    this.findings = findings
  }

  /** Includes a simulation of the unsigned message. */
  async report(): Promise<DryRunModel['dryRun']> {
    const { platform, call } = this.#context
    const { feeLamports, sizeBytes, accounts, signers, verdicts, message } = this.findings
    const simulation = await platform.clusters.get(call.cluster)?.simulate(message)
    return {
      feeLamports: rawJson(feeLamports),
      sizeBytes,
      accounts,
      signers: signers.map((signer) => ({ ...signer })),
      limits: limitedVerdicts(verdicts).map(shownLimit),
      simulation:
        simulation === undefined
          ? null
          : { error: simulation.error, computeUnits: simulation.computeUnits, logs: simulation.logs },
    }
  }
}

/** Lamports for token accounts in `rents` and for other accounts that the effects create. */
export function rentOf(
  { rents = new Map() }: { readonly rents?: ReadonlyMap<string, bigint> },
  effects: readonly Effect[],
): bigint {
  let sum = 0n
  for (const lamports of rents.values()) sum += lamports
  for (const effect of effects) if (effect.kind === 'create' && !rents.has(effect.account)) sum += effect.lamports
  return sum
}
