// A chain that is not embedded: `localnet` as a separate process, which continues while the service is down.
import { run, type Program } from './process.ts'
import { newDataDir } from './service.ts'

export interface OutsideChain {
  readonly program: Program
  readonly rpcUrl: string
  /** Settings of a service that uses it, without an embedded chain. */
  readonly settings: Readonly<Record<string, string>>
}

export async function startOutsideChain(slotMs = 400, finalitySlots = 1): Promise<OutsideChain> {
  const settings = {
    EMBEDDED_FAULTS: 'on',
    EMBEDDED_SLOT_MS: String(slotMs),
    EMBEDDED_FINALITY_SLOTS: String(finalitySlots),
  }
  const program = run({ command: 'localnet', dataDir: newDataDir(), settings })
  const rpcUrl = await program.find((line) => /^holdfast localnet ready (\S+)/.exec(line)?.[1])
  return {
    program,
    rpcUrl,
    settings: { CLUSTERS: JSON.stringify({ CHAIN_DEVNET: { endpoints: rpcUrl, minSlotMs: slotMs / 2 } }) },
  }
}
