// Decisions of the instrument machine: changes by a configuration on chain and by an offchain description. Pure.
import { accept, refuse, type Decide, type RuleOutcome } from './answer.ts'
import { parseRaw } from './book.ts'
import type { Raw, Touch } from './protocol.ts'
import type {
  AuthorityName,
  Configuration,
  Description,
  InstrumentContext,
  OffchainData,
  OnchainData,
} from './instrument-record.ts'
import { definedChanges } from './holding-rules.ts'

const CONFIGURABLE: ReadonlySet<string> = new Set<keyof Configuration>([
  'authorities',
  'onchainData',
  'defaultPositionState',
  'scaledUiAmountMultiplier',
  'scaledUiAmountNext',
  'extensions',
])
const AUTHORITIES: ReadonlySet<string> = new Set<AuthorityName>([
  'transferHookProgram',
  'mintAuthority',
  'updateAuthority',
  'freezeAuthority',
  'permanentDelegateAuthority',
  'closingAuthority',
  'pausableAuthority',
  'scaledUiAmountAuthority',
  'transferHookAuthority',
  'confidentialTransferAuthority',
  'confidentialMintBurnAuthority',
  'metadataPointerAuthority',
])
const ONCHAIN: ReadonlySet<string> = new Set<keyof OnchainData>(['name', 'symbol', 'uri', 'simpleCustomMetadata'])
const OFFCHAIN: ReadonlySet<string> = new Set<keyof OffchainData>([
  'description',
  'simpleCustomMetadata',
  'complexCustomMetadata',
  'logo',
])
const NO_METADATA: OnchainData = { name: null, symbol: null, uri: null, simpleCustomMetadata: null }

interface Configured {
  readonly changes: Configuration
  readonly touch?: Touch
}

export const configureRule: Decide<InstrumentContext, Configured, Partial<InstrumentContext>> = ({
  context,
  event,
}) => {
  const changes = definedChanges(event.changes, CONFIGURABLE)
  if (!changes.ok) return changes
  const { authorities, onchainData, ...plain } = changes.value
  const authority = merged(context.authorities, authorities, AUTHORITIES)
  if (!authority.ok) return authority
  const onchain = merged(context.onchainData ?? NO_METADATA, onchainData, ONCHAIN)
  if (!onchain.ok) return onchain
  return accept({
    ...plain,
    ...(authorities === undefined ? {} : { authorities: authority.value }),
    ...(onchainData === undefined ? {} : { onchainData: onchain.value }),
    ...(event.touch === undefined ? {} : { last: event.touch }),
  })
}

export const describeRule: Decide<InstrumentContext, { readonly changes: Description }, Partial<InstrumentContext>> = ({
  context,
  event,
}) => {
  if (Object.keys(event.changes).length === 0) return refuse('NOTHING_TO_CHANGE', 'no member given')
  const offchainData = merged(context.offchainData, event.changes, OFFCHAIN)
  return offchainData.ok ? accept({ offchainData: offchainData.value }) : offchainData
}

export const limitRule: Decide<InstrumentContext, { readonly maxSupply: Raw | null }, Partial<InstrumentContext>> = ({
  event,
}) => {
  const { maxSupply } = event
  return maxSupply === null || parseRaw(maxSupply) !== null
    ? accept({ maxSupply })
    : refuse('MALFORMED_AMOUNT', `not a count of raw units: ${maxSupply}`)
}

function merged<T extends object>(
  base: T,
  changes: Partial<T> | undefined,
  allowed: ReadonlySet<string>,
): RuleOutcome<T> {
  if (changes === undefined) return accept(base)
  const patch = definedChanges(changes, allowed)
  return patch.ok ? accept({ ...base, ...patch.value }) : patch
}
