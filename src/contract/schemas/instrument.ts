// Schemas of financial instruments.
import { z } from 'zod'
import { withAliases } from '../values/aliases.ts'
import { amount, amountOrZero } from '../values/amount.ts'
import { tenancyConfig } from '../values/chain-config.ts'
import { accountLookup, referenceChanges } from '../values/lookup.ts'
import { freeMembers, metadata, metadataText, textMetadata, textMetadataChanges } from '../values/metadata.ts'
import { newAccount, tokenVersion } from './new-account.ts'
import { acrossMembers, changesSomething, exactlyOne } from '../values/rule.ts'
import { comment, line, name, uri } from '../values/text.ts'
import type { OutputOf } from '../values/validated.ts'

const onchainData = z
  .strictObject({
    symbol: line(255).optional(),
    name: line(255).optional(),
    uri: uri.optional(),
    simpleCustomMetadata: textMetadata.optional(),
    decimals: z.int().min(0).max(255).meta({ default: 0 }).optional(),
  })
  .meta({ id: 'OnchainData' })

const logo = z.strictObject({
  copyFromUri: uri.optional(),
  fileName: name.optional(),
  contentType: name.optional(),
  type: z.enum(['LOGO']).optional(),
})
export type LogoInput = OutputOf<typeof logo>

const offchainData = z
  .strictObject({
    description: comment.optional(),
    simpleCustomMetadata: metadata.optional(),
    complexCustomMetadata: metadata.optional(),
    logo: logo.optional(),
  })
  .meta({ id: 'OffchainData' })

const EXTENSIONS = [
  'PERMANENT_DELEGATE',
  'MINT_CLOSE',
  'DEFAULT_ACCOUNT_STATE',
  'SCALED_UI_AMOUNT',
  'PAUSABLE',
  'TRANSFER_HOOK',
  'CONFIDENTIAL_TRANSFER',
  'CONFIDENTIAL_MINT_BURN',
  'METADATA_POINTER',
  'TOKEN_METADATA',
] as const
const NAMED = ['name', 'symbol', 'uri', 'additionalMetadata', 'simpleCustomMetadata']

/** Onchain metadata in free form: members with other names are metadata keys, like those of `additionalMetadata`. */
const calculatorMetadata = z
  .object({
    name: line(255).optional(),
    symbol: line(255).optional(),
    uri: uri.optional(),
    additionalMetadata: textMetadata.optional(),
    simpleCustomMetadata: textMetadata.optional(),
  })
  .catchall(metadataText)
  .check(
    freeMembers,
    acrossMembers<Record<string, unknown>>((value) => {
      const said = new Map<string, unknown>()
      for (const group of [value['additionalMetadata'], value['simpleCustomMetadata'], withoutNamed(value)]) {
        for (const [key, text] of Object.entries(group ?? {})) {
          if (said.has(key) && said.get(key) !== text)
            return {
              code: 'MUTUALLY_EXCLUSIVE',
              message: `gives ${JSON.stringify(key)} another value than a member before it`,
            }
          said.set(key, text)
        }
      }
      return undefined
    }),
  )
  .transform((value) => {
    const { name: called, symbol, uri: at, additionalMetadata, simpleCustomMetadata } = value
    return {
      name: called,
      symbol,
      uri: at,
      simpleCustomMetadata: { ...additionalMetadata, ...simpleCustomMetadata, ...withoutNamed(value) },
    }
  })
  .meta({
    description: 'Implies METADATA_POINTER and TOKEN_METADATA. Members of any other name are keys of the metadata.',
  })
export type MetadataInput = OutputOf<typeof calculatorMetadata>

function withoutNamed(value: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !NAMED.includes(name))) as Record<string, string>
}

/** The only body without `itemData`. */
export const extensionsCalculator = z.strictObject({
  extensions: z.array(z.enum(EXTENSIONS)).max(100).optional(),
  metadata: calculatorMetadata.optional(),
  tenancyConfig: tenancyConfig.optional(),
})
/** A body without `itemData`. */
export type CalculatorInput = OutputOf<typeof extensionsCalculator>

/** Enables the extension when the instrument is created; takes effect immediately when it is updated. */
const multiplier = amount.meta({
  description:
    'Factor from raw units to displayed amounts (extension SCALED_UI_AMOUNT): a JSON number of at most 15 significant digits, or a' +
    ' decimal string.',
})

const positionState = z.enum(['INITIALIZED', 'FROZEN'])

interface NewToken {
  readonly alreadyOnchain?: unknown
  readonly mintAccount?: unknown
  readonly mintAuthority?: unknown
  readonly version?: unknown
}

/** The token version stated for the mint account. */
function versionOf(mintAccount: unknown): unknown {
  return typeof mintAccount === 'object' && mintAccount !== null
    ? (mintAccount as { readonly tokenVersion?: unknown }).tokenVersion
    : undefined
}

/** `alreadyOnchain` may also be stated in the mint account. */
function isNew({ alreadyOnchain, mintAccount }: NewToken): boolean {
  const account = typeof mintAccount === 'object' && mintAccount !== null ? (mintAccount as NewToken) : {}
  return alreadyOnchain !== true && account.alreadyOnchain !== true
}

export const newInstrument = withAliases(
  {
    mintAccount: newAccount.optional(),
    existingMintAccount: accountLookup.optional(),
    mintAuthority: accountLookup.meta({ description: 'Needed unless the token is on chain already.' }).optional(),
    updateAuthority: accountLookup.optional(),
    freezeAuthority: accountLookup.optional(),
    permanentDelegateAuthority: accountLookup.optional(),
    closingAuthority: accountLookup.optional(),
    pausableAuthority: accountLookup.optional(),
    scaledUiAmountAuthority: accountLookup.optional(),
    transferHookAuthority: accountLookup.optional(),
    transferHookProgram: accountLookup.optional(),
    confidentialTransferAuthority: accountLookup.optional(),
    confidentialMintBurnAuthority: accountLookup.optional(),
    version: tokenVersion.optional(),
    alreadyOnchain: z.boolean().optional(),
    onchainData: onchainData.optional(),
    offchainData: offchainData.optional(),
    defaultPositionState: positionState.optional(),
    paused: z.boolean().optional(),
    scaledUiAmountMultiplier: multiplier.optional(),
    maxSupply: amountOrZero.optional(),
  },
  { alreadyOnChain: 'alreadyOnchain' },
)
  .check(
    exactlyOne(['mintAccount', 'existingMintAccount']),
    acrossMembers<NewToken>((value) =>
      isNew(value) && value.mintAuthority === undefined
        ? { code: 'REQUIRED', message: 'a new token needs a mintAuthority', path: ['mintAuthority'] }
        : undefined,
    ),
    acrossMembers<NewToken>(({ version, mintAccount }) => {
      const said = versionOf(mintAccount)
      return version !== undefined && said !== undefined && version !== said
        ? {
            code: 'ALIAS_CONFLICT',
            message: 'must equal version, which has the same meaning',
            path: ['mintAccount', 'tokenVersion'],
          }
        : undefined
    }),
  )
  .transform((value): typeof value => ({ ...value, version: value.version ?? value.mintAccount?.tokenVersion }))
  .meta({ id: 'NewFinancialInstrument' })
export type NewInstrumentInput = OutputOf<typeof newInstrument>

export const switchInstrument = z
  .strictObject({ financialInstrument: accountLookup, pausableAuthority: accountLookup.optional() })
  .meta({ id: 'SwitchFinancialInstrument' })
/** Pause or unpause. */
export type SwitchInstrumentInput = OutputOf<typeof switchInstrument>

export const closeInstrument = withAliases(
  {
    financialInstrumentToClose: accountLookup,
    refundDestination: accountLookup.optional(),
    closeAuthority: accountLookup.optional(),
  },
  { refundSolDestination: 'refundDestination' },
).meta({ id: 'CloseFinancialInstrument' })
export type CloseInstrumentInput = OutputOf<typeof closeInstrument>

export const circulatingSupply = z
  .strictObject({ financialInstrument: accountLookup })
  .meta({ id: 'CirculatingSupplyLookup' })
export type CirculatingSupplyInput = OutputOf<typeof circulatingSupply>

const onchainDataChanges = z.strictObject({
  symbol: line(255).optional(),
  name: line(255).optional(),
  uri: uri.optional(),
  simpleCustomMetadata: textMetadataChanges.nullable().optional(),
})

/** Absent members keep their value, null clears; metadata is replaced as a whole. */
const offchainDataChanges = z.strictObject({
  description: comment.nullable().optional(),
  simpleCustomMetadata: metadata.nullable().optional(),
  complexCustomMetadata: metadata.nullable().optional(),
  logo: logo.nullable().optional(),
})

/** Absent members keep their value. */
const changes = {
  mintAccountOffchainReferences: referenceChanges.nullable().optional(),
  onchainData: onchainDataChanges.optional(),
  offchainData: offchainDataChanges.optional(),
  defaultPositionState: positionState.optional(),
  paused: z.boolean().optional(),
  scaledUiAmountMultiplier: multiplier.optional(),
  maxSupply: amountOrZero.nullable().optional(),
  transferHookProgram: accountLookup.nullable().optional(),
  newClosingAuthority: accountLookup.nullable().optional(),
  newPausableAuthority: accountLookup.nullable().optional(),
  newScaledUiAmountAuthority: accountLookup.nullable().optional(),
  newTransferHookAuthority: accountLookup.nullable().optional(),
}

export const instrumentChanges = z
  .strictObject({
    mintAccount: accountLookup,
    ...changes,
    updateAuthority: accountLookup.optional(),
    freezeAuthority: accountLookup.optional(),
    currentClosingAuthority: accountLookup.optional(),
    currentPausableAuthority: accountLookup.optional(),
    currentScaledUiAmountAuthority: accountLookup.optional(),
    currentTransferHookAuthority: accountLookup.optional(),
  })
  .check(changesSomething(Object.keys(changes)))
  .meta({
    id: 'FinancialInstrumentChanges',
    description: 'Authorities that sign are found when they are not named. A new authority of null gives it up.',
  })
/** For an authority, null gives it up. */
export type InstrumentChangesInput = OutputOf<typeof instrumentChanges>
