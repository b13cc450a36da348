// The embedded chain of a data directory, as the settings describe it.
import { dataLayout } from '../config/data-layout.ts'
import { childEnvironment } from '../config/environment.ts'
import { sandboxAheadMs } from '../config/sandbox-time.ts'
import type { Settings } from '../config/settings.ts'
import { startEmbeddedChain, type EmbeddedChain, type EmbeddedChainOptions } from './embedded.ts'
import type { ChainProcessSettings } from './process.ts'

/** For the service, and for the chain alone. */
export function configuredChain(settings: Settings): Omit<EmbeddedChainOptions, 'log' | 'onFatal'> {
  return {
    host: settings.embeddedRpcHost,
    port: settings.embeddedRpcPort,
    dataDir: dataLayout(settings.dataDir).chain,
    slotMs: settings.embeddedSlotMs,
    finalitySlots: settings.embeddedFinalitySlots,
    faults: settings.embeddedFaults,
    aheadMs: sandboxAheadMs(settings),
    given: { programs: settings.embeddedPrograms, accounts: settings.embeddedAccounts },
    environment: childEnvironment(),
  }
}

const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** For a command that needs the chain only for a moment: on free ports of this machine, without log lines. */
export async function startBriefly(
  { dataDir, embeddedSlotMs: slotMs, embeddedFinalitySlots: finalitySlots }: Settings,
  further: Partial<Pick<ChainProcessSettings, 'host' | 'aheadMs' | 'putsBackTime'>>,
): Promise<EmbeddedChain> {
  return await startEmbeddedChain({
    host: '127.0.0.1',
    port: 0,
    dataDir: dataLayout(dataDir).chain,
    slotMs,
    finalitySlots,
    faults: false,
    ...further,
    environment: childEnvironment(),
    log: QUIET,
    onFatal: () => undefined,
  })
}
