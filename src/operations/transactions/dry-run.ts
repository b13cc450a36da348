// A dry run takes the path of a write up to the use of a key, and is then rolled back. Its findings are thrown as an
// error, so that nothing of the unit of work can be committed by mistake.
import type { JsonObject } from '../../contract/call.ts'
import type { Platform } from '../context/platform.ts'
import { rawJson } from '../views/read-models/amounts.ts'

export interface DryRunFindings {
  readonly feeLamports: bigint
  readonly sizeBytes: number
  readonly accounts: readonly string[]
  readonly signers: readonly { readonly onchainId: string; readonly managed: boolean }[]
  readonly limits: readonly JsonObject[]
  readonly message: Uint8Array
}

export class DryRun extends Error {
  override readonly name = 'DryRun'
  readonly #findings: DryRunFindings

  constructor(findings: DryRunFindings) {
    super('dry run')
    this.#findings = findings
  }

  /** The answer of the dry run, with a simulation of the unsigned message. */
  async report(platform: Platform, cluster: string): Promise<JsonObject> {
    const { feeLamports, sizeBytes, accounts, signers, limits, message } = this.#findings
    const simulation = await platform.clusters.get(cluster)?.simulate(message)
    return {
      feeLamports: rawJson(feeLamports),
      sizeBytes,
      accounts,
      signers: signers.map((signer) => ({ ...signer })),
      limits,
      simulation:
        simulation === undefined ? null : { error: simulation.error, computeUnits: simulation.computeUnits, logs: simulation.logs },
    }
  }
}
