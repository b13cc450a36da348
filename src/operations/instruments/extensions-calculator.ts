// POST /financial-instruments/token-extensions-calculator: size and rent of a mint, computed as for a creation.
import type { MintExtension } from '../../solana/mint-extensions.ts'
import {
  extensionConflict,
  METADATA_LIMIT_BYTES,
  metadataBytes,
  mintSize,
  type MintMetadata,
} from '../../solana/mint-size.ts'
import { amountPair, NETWORK_DECIMALS } from '../views/read-models/amounts.ts'
import type { CalculatorInput, MetadataInput } from '../../contract/schemas/instrument.ts'
import type { Read } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { clusterOf } from '../transactions/transact.ts'
import type { MintSizesModel } from '../../contract/schemas/answers.ts'

export const extensionsCalculator: Read<CalculatorInput, MintSizesModel> = async (
  context,
  { extensions = [], metadata },
) => {
  const names = new Set<MintExtension>(extensions)
  const conflict = extensionConflict(names)
  if (conflict !== null) throw badRequest('EXTENSION_CONFLICT', conflict, '/extensions')
  const described = metadata === undefined ? undefined : mintMetadata(metadata)
  if (described !== undefined && metadataBytes(described) > METADATA_LIMIT_BYTES) {
    throw badRequest('TOO_LONG', `metadata must have at most ${METADATA_LIMIT_BYTES} bytes on chain`, '/metadata')
  }
  const { allocationBytes, finalBytes } = mintSize(names, described)
  const { amount, lamports } = amountPair(await clusterOf(context).rentExemptLamports(finalBytes), NETWORK_DECIMALS)
  return {
    mintAccountSize: allocationBytes,
    mintAccountSizeWithMetadata: finalBytes,
    estimatedRentAmount: amount,
    estimatedRentLamports: lamports,
  }
}

function mintMetadata({ name, symbol, uri, simpleCustomMetadata }: MetadataInput): MintMetadata {
  return { name: name ?? '', symbol: symbol ?? '', uri: uri ?? '', additional: Object.entries(simpleCustomMetadata) }
}
