// Descriptions of financial instruments.
import type { Descriptions } from './describe.ts'

const FOUND = 'Default: found from the instrument.'

const MULTIPLIER = 'Factor from raw units to displayed amounts (extension SCALED_UI_AMOUNT); null: none.'

/** One authority in a creation and in a record. */
const authority = (what: string, extension?: string): string =>
  `${what} null in a record: none. Of an account that the caller may not see, only the address.${
    extension === undefined ? '' : ` In a creation, enables the extension ${extension} (TOKEN_2022 only).`
  }`

/** One authority in a change of authorities. */
const next = (what: string, extension: string | null): string =>
  `Account with whose signature ${what} from now on; null gives the authority up for ever.${
    extension === null ? '' : ` Without the extension ${extension}: 400 EXTENSION_MISSING.`
  }`

export const INSTRUMENTS: Descriptions = {
  mintAccount: 'The mint account of the instrument.',
  'NewFinancialInstrument.mintAccount':
    'The mint account to create or onboard. Exactly one of `mintAccount` and' + ' `existingMintAccount` is required.',
  existingMintAccount:
    'A mint account made before by Create Account with the size of the calculator, or onboarded.' +
    ' Exactly one of `mintAccount` and `existingMintAccount` is required. Another size: 400 MINT_SIZE_MISMATCH.',
  mintAuthority: authority('Account that may mint.'),
  updateAuthority: authority('Account that may change the metadata on chain.'),
  freezeAuthority: authority('Account that may freeze and unfreeze positions.'),
  permanentDelegateAuthority: authority(
    'Account that may move and burn the tokens of every' + ' position.',
    'PERMANENT_DELEGATE',
  ),
  closingAuthority: authority('Account that may close the mint when the supply is 0.', 'MINT_CLOSE'),
  pausableAuthority: authority('Account that may pause all movements of the token.', 'PAUSABLE'),
  scaledUiAmountAuthority: authority(
    'Account that may change the multiplier of displayed' + ' amounts.',
    'SCALED_UI_AMOUNT',
  ),
  transferHookProgram: authority('Program that runs on every transfer.', 'TRANSFER_HOOK'),
  transferHookAuthority: authority('Account that may change the transfer hook program.', 'TRANSFER_HOOK'),
  confidentialTransferAuthority: authority(
    'Authority of confidential transfers. The extension can be created, but' + ' not used (400 EXTENSION_NOT_USABLE).',
    'CONFIDENTIAL_TRANSFER',
  ),
  confidentialMintBurnAuthority: authority(
    'Authority of confidential minting and burning. The extension can be' +
      ' created, but not used (400 EXTENSION_NOT_USABLE).',
    'CONFIDENTIAL_MINT_BURN',
  ),
  metadataPointerAuthority: 'Account that may change where the metadata of the token are stored; null: none.',
  version: 'Token program of the instrument.',
  'NewFinancialInstrument.version':
    'Token program of the instrument. Default: `mintAccount.tokenVersion`, or the `tokenVersion` that the account of' +
    ' `existingMintAccount` was created with, else SPL. Two different values: 400 ALIAS_CONFLICT.',
  'NewFinancialInstrument.alreadyOnchain':
    'True: the token exists on chain and is only onboarded; its properties' +
    ' are read from the mint, and values in the request must match them (400 LOOKUP_MISMATCH). Default false.',
  onchainData: 'Symbol, name and metadata of the token. Of an SPL instrument, symbol and name are stored offchain.',
  'onchainData.symbol': 'Symbol of the token; null: none.',
  'onchainData.name': 'Name of the token; null: none.',
  'onchainData.uri': 'URI of further metadata. Stored, not fetched; empty: the metadata has none; null: no metadata.',
  'onchainData.simpleCustomMetadata': 'Additional metadata on chain: text by key; null: none.',
  'onchainData.decimals': 'Number of decimals of a display unit. Cannot change.',
  'OnchainData.symbol': 'Symbol of the token, at most 255 characters.',
  'OnchainData.name': 'Name of the token, at most 255 characters.',
  'OnchainData.uri': 'URI of further metadata, at most 2048 characters. Stored, not fetched. TOKEN_2022 only.',
  'OnchainData.simpleCustomMetadata':
    'Additional metadata on chain: text by key, at most 200 keys. TOKEN_2022 only,' + ' otherwise 400.',
  'OnchainData.decimals': 'Number of decimals of a display unit, 0 to 255. Cannot change later.',
  'FinancialInstrumentChanges.onchainData': 'Changes of the metadata on chain. Absent members keep their value.',
  'FinancialInstrumentChanges.onchainData.symbol': 'New symbol.',
  'FinancialInstrumentChanges.onchainData.name': 'New name.',
  'FinancialInstrumentChanges.onchainData.uri': 'New URI of further metadata. Stored, not fetched.',
  'FinancialInstrumentChanges.onchainData.simpleCustomMetadata':
    'Metadata keys to change: keys not named keep their' +
    ' value, null removes a key, null for the whole member removes all keys.',
  offchainData: 'Description, metadata and logo that the service stores.',
  'offchainData.description':
    'Description of the instrument, at most 4096 characters. null: none; in an update it' + ' removes the description.',
  'offchainData.simpleCustomMetadata':
    'Metadata of the client, an object of at most 200 members. null: none; in an' + ' update it removes them.',
  'offchainData.complexCustomMetadata':
    'Metadata of the client with nested values, at most 200 members. null: none;' + ' in an update it removes them.',
  'OffchainData.description': 'Description of the instrument, at most 4096 characters.',
  'OffchainData.simpleCustomMetadata': 'Metadata of the client, an object of at most 200 members.',
  'OffchainData.complexCustomMetadata': 'Metadata of the client with nested values, an object of at most 200 members.',
  logo: 'Logo of the instrument. null: none; in an update it removes the logo.',
  copyFromUri:
    'https URL that the service copies the picture from, once: PNG, JPEG or WebP of at most 1 MiB (400' +
    ' LOGO_TYPE, LOGO_UNAVAILABLE, OUTBOUND_NOT_ALLOWED). Absent: the logo is a description without a picture.',
  fileName: 'File name of the picture.',
  contentType: 'Media type of the picture.',
  'logo.type': 'Kind of the file; always LOGO.',
  defaultPositionState:
    'State of new positions. FROZEN requires TOKEN_2022 and a freeze authority. Default' +
    ' INITIALIZED; null in a record: the instrument has no default state.',
  paused:
    'True: all movements of the token are stopped. Requires the extension PAUSABLE. Default false; null in a' +
    ' record: not pausable.',
  'FinancialInstrumentChanges.paused':
    'True pauses the token, false resumes it. The present state: 400' + ' ALREADY_PAUSED, NOT_PAUSED.',
  'FinancialInstrument.scaledUiAmountMultiplier': MULTIPLIER,
  'FinancialInstrumentCompact.scaledUiAmountMultiplier': MULTIPLIER,
  supply: 'Supply in the books of the service.',
  maxSupply:
    'Supply that no mint may exceed (400 SUPPLY_CAP_EXCEEDED), whatever the multiplier of displayed amounts is;' +
    ' null: no limit.',
  'NewFinancialInstrument.maxSupply':
    'Supply that no mint may exceed (400 SUPPLY_CAP_EXCEEDED), in units of' +
    ' `decimals`, whatever the multiplier of displayed amounts is. Default: no limit.',
  'FinancialInstrumentChanges.maxSupply':
    'New limit of the supply, in units of `decimals`; null: no limit. A lower' +
    ' one may be below the supply and then stops further mints. A higher one, or none, needs role' +
    ' ACCOUNT_POLICY_WRITE.',
  extensions: 'Names of the token extensions of the mint.',
  'postFinancialInstrumentsTokenExtensionsCalculator.extensions':
    'Extensions to compute the size for. Default:' + ' none. CONFIDENTIAL_MINT_BURN alone: 400 EXTENSION_CONFLICT.',
  'metadata.name': 'Name of the token.',
  'metadata.symbol': 'Symbol of the token.',
  'metadata.uri': 'URI of further metadata.',
  additionalMetadata: 'Additional metadata: text by key.',
  'metadata.simpleCustomMetadata':
    'The same as `additionalMetadata`. A key with two different values: 400' + ' MUTUALLY_EXCLUSIVE.',
  estimatedRentLamports: 'Rent of the size with metadata, in lamports.',
  'FinancialInstrument.status': 'ACTIVE: in use; CLOSED: the mint is closed, or its creation provably failed.',
  'FinancialInstrumentCompact.status': 'ACTIVE: in use; CLOSED: the mint is closed, or its creation provably failed.',
  newFinancialInstrument: 'Ids of the created instrument.',
  updatedFinancialInstrument: 'Ids of the changed instrument.',
  closedFinancialInstrument: 'Ids of the closed instrument.',
  onchainCirculatingSupply: 'Supply that the chain reports now.',

  'FinancialInstrumentChanges.mintAccount': 'The instrument to change, by its mint account. Not found: 404.',
  mintAccountOffchainReferences:
    'References of the mint account to change. Absent members keep their value; null' + ' removes one.',
  'FinancialInstrumentChanges.updateAuthority': `Update authority that signs. ${FOUND}`,
  'FinancialInstrumentChanges.freezeAuthority':
    `Freeze authority that signs a change of the default position state.` + ` ${FOUND}`,
  'FinancialInstrumentChanges.transferHookProgram': 'New transfer hook program; null removes it.',
  newClosingAuthority: 'New closing authority; null gives the authority up for ever.',
  newPausableAuthority: 'New pausable authority; null gives the authority up for ever.',
  newScaledUiAmountAuthority: 'New authority over the multiplier; null gives the authority up for ever.',
  newTransferHookAuthority: 'New authority over the transfer hook; null gives the authority up for ever.',
  currentClosingAuthority: `Present closing authority, which signs. ${FOUND}`,
  currentPausableAuthority: `Present pausable authority, which signs. ${FOUND}`,
  currentScaledUiAmountAuthority: `Present authority over the multiplier, which signs. ${FOUND}`,
  currentTransferHookAuthority: `Present authority over the transfer hook, which signs. ${FOUND}`,
  'FinancialInstrumentAuthorities.financialInstrument': 'The instrument whose authorities change.',
  authorities:
    'The authorities to change; others stay. The present holder of each signs. The transaction waits as PREPARED for' +
    ' a holder whose key is not managed here.',
  confirm: 'Must be true if an authority is null: it is given up for ever.',
  'AuthorityChanges.mint': next('new tokens are minted', null),
  'AuthorityChanges.freeze': next('positions are frozen and the state of new positions is changed', null),
  'AuthorityChanges.update': next('the metadata on chain are changed', 'TOKEN_METADATA'),
  'AuthorityChanges.permanentDelegate': next('tokens of every position are moved and burned', 'PERMANENT_DELEGATE'),
  'AuthorityChanges.closing': next('the mint is closed', 'MINT_CLOSE'),
  'AuthorityChanges.pausable': next('the token is paused and resumed', 'PAUSABLE'),
  'AuthorityChanges.scaledUiAmount': next('the multiplier of displayed amounts is changed', 'SCALED_UI_AMOUNT'),
  'AuthorityChanges.transferHook': next('the transfer hook program is changed', 'TRANSFER_HOOK'),
  'AuthorityChanges.confidentialTransfer': next('confidential transfers are configured', 'CONFIDENTIAL_TRANSFER'),
  'AuthorityChanges.metadataPointer': next('the place of the metadata is changed', 'METADATA_POINTER'),
  'SwitchFinancialInstrument.financialInstrument': 'The instrument to pause or unpause.',
  'SwitchFinancialInstrument.pausableAuthority': `Pausable authority that signs. ${FOUND}`,
  financialInstrumentToClose: 'The instrument to close. Its supply must be 0.',
  'CloseFinancialInstrument.refundDestination': 'Account that receives the rent of the mint. Default: the fee payer.',
  'CloseFinancialInstrument.closeAuthority': `Closing authority that signs. ${FOUND}`,
  'CirculatingSupplyLookup.financialInstrument': 'The instrument whose supply is fetched.',
}
