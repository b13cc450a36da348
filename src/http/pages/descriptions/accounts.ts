// Descriptions of accounts, their keys and debit limits.
import type { Descriptions } from './describe.ts'

const POLICY = ' Requires the role ACCOUNT_POLICY_WRITE.'
const DEFAULTS =
  'The default limits: transfers of 0 to OFF_PLATFORM, and of at most 1 unit in a transaction to NON_MANAGED. '
const LOOSER = 'Limits looser than the defaults require the role ACCOUNT_POLICY_WRITE.'
const RECEIVER =
  'Class of the receiver that the limit applies to. OFF_PLATFORM: not onboarded; NON_MANAGED:' +
  ' onboarded, key not made by the service in this tenant; MANAGED: key made by the service in this tenant; ANY:' +
  ' all of them. FEES, PRIORITY_FEES and RENT limit what the account pays as fees and rent.'
const DEBIT_KEYS = 'A change requires the role PLATFORM_UPDATE_DEBIT_API_KEYS.'

export const ACCOUNTS: Descriptions = {
  account: 'Lookup of the account.',
  'NewAccount.managed':
    'True: the service holds the private key. Default: true if neither `onchainId` nor' +
    ' `publickKey` is given or if `privateKey` is, else false.',
  'CreateAccount.managed':
    'True: the service holds the private key. Default: true if neither `onchainId` nor' +
    ' `publickKey` is given or if `privateKey` is, else false.',
  alreadyOnchain: 'True: the account exists on chain and is only onboarded; no transaction is created. Default false.',
  'NewAccount.onchainId':
    'Address of the account. Required for an account whose key is not made by the service.' +
    ' With `privateKey`, the key must derive this address.',
  'CreateAccount.onchainId':
    'Address of the account. Required for an account whose key is not made by the service.' +
    ' With `privateKey`, the key must derive this address.',
  privateKeyDetails: 'Where and how the private key is stored. Default on creation: a new key in the encrypted store.',
  'PrivateKeyDetails.location':
    'Where the key is stored. DATABASE (default): encrypted in the store; SECRETS: in' +
    ' the secrets adapter; DKG: a threshold key; REMOTE: at the custodian that `signer` names. A key has one' +
    ' location: two entries are rejected with 400 MUTUALLY_EXCLUSIVE.',
  'PrivateKeyDetails.signer':
    'Code of the custodian of a key of location REMOTE (setting HOLDFAST_SIGNERS). Unknown code: 400' +
    ' REMOTE_SIGNER_UNKNOWN.',
  publickKey: 'Public key, which is the address of the account: base58 of 32 bytes.',
  privateKey:
    'Private key to import: base58 of 64 or 32 bytes. Never returned by this endpoint. Must derive' +
    ' `onchainId`, if given. An account with an imported key counts as NON_MANAGED for debit limits.',
  dkgKeys: 'Definition of a threshold key (FROST, RFC 9591), one entry. Implies the location DKG.',
  keyUsage: 'Usage of the key; accepted for compatibility, has no effect.',
  useBackendPlayersCodes:
    'Codes of the threshold signers that hold a share of the key. Unknown code: 400' + ' PLAYER_UNKNOWN.',
  isDefault: 'Accepted for compatibility, has no effect.',
  'dkgKeys.session': 'Parameters of the signing session.',
  threshold:
    'Number of threshold signers that are needed to sign: at least 2, at most the number of signers of the' +
    ' key (400 THRESHOLD_INVALID).',
  solDebitApiKeys:
    'Ids of the only API keys that may debit network currency from the account; otherwise 403' +
    ' DEBIT_KEY_REQUIRED. Empty: every key with the rights to do so may. ' +
    DEBIT_KEYS,
  tokenDebitApiKeys:
    'Ids of the only API keys that may debit tokens; otherwise 403 DEBIT_KEY_REQUIRED. Empty: every' +
    ' key with the rights to do so may. ' +
    DEBIT_KEYS,
  networkCurrencyDebitLimits:
    'Debit limits for network currency; all entries that apply must pass. Absent or null:' +
    ' the default limits apply; []: no limits. A list replaces the defaults: what none of its entries covers is' +
    ' unlimited, except fees and rent, whose defaults apply until an entry names their class: in 24 hours 1 unit of' +
    ' priority fees, 1 unit of fees for each organization of another tenant, and 0.1 units of rent. ' +
    DEFAULTS +
    LOOSER,
  tokenDebitLimits:
    'Debit limits for tokens; all entries that apply must pass, of the wallet and of the position.' +
    ' Absent or null: the default limits apply; []: no limits. A list replaces the defaults: what none of its' +
    ' entries covers is unlimited. ' +
    DEFAULTS +
    LOOSER,
  defaultDebitLimits:
    'The lists of debit limits that are not set, so that their default limits apply; in an answer they are [],' +
    ' as lists that mean no limits. Absent in a record of another tenant.',
  seedAmount: 'Network currency to transfer to the new account. With `seedLamports`, both must agree.',
  seedLamports: 'Lamports to transfer to the new account. With `seedAmount`, both must agree.',
  subscribeToNetworkEvents:
    'True: the service follows the account on chain and emits `account.network_activity`' +
    ' events. Default false; null in a record of another tenant.',
  canPayFees:
    `True: the account may pay transaction fees. Default false. ${POLICY.trim()} An account with` +
    ` data cannot pay fees.`,
  globalFeePayerForOrgs: 'External ids of the organizations for which the account is the default fee payer.' + POLICY,
  orgsAllowedToSignWithPrivateKey:
    'External ids of the organizations, besides the owner, whose API keys may sign' + ' with the account.' + POLICY,
  shareAcrossTenants:
    'True: other tenants can look up the account by its references. Only the system tenant may set' +
    ' it (403). Default false.',
  sharedAcrossTenants: 'True if other tenants can look up the account by its references.',
  tokenVersion:
    'Token program of a mint or token account, kept with an account that is not one yet. For a new instrument, also' +
    ' one in this account, it decides if `version` is absent; otherwise both must agree (400 ALIAS_CONFLICT).',
  comments:
    'Free text of the client, at most 4096 characters. In an update null removes it; in a record null means' + ' none.',
  domain:
    'Domain name that the client associates with the account. In an update null removes it; in a record null' +
    ' means none.',
  isDerived:
    'True if the address is derived from other addresses and has no key, as an associated token account is.' +
    ' Null in a record of another tenant.',
  isGenesis: 'Kept with the account; has no effect. Default false.',
  skipBlockchainExistenceVerification:
    'True: with `alreadyOnchain`, the service does not check that the account' + ' exists on chain. Default false.',
  'AccountChanges.canPayFees': 'True: the account may pay transaction fees. null: false.' + POLICY,
  'AccountChanges.globalFeePayerForOrgs':
    'External ids of the organizations for which the account is the default' + ' fee payer. null: none.' + POLICY,
  'AccountChanges.orgsAllowedToSignWithPrivateKey':
    'External ids of the organizations, besides the owner, whose API' +
    ' keys may sign with the account. null: none.' +
    POLICY,
  'AccountChanges.solDebitApiKeys':
    `Ids of the only API keys that may debit network currency. null or []: no` + ` restriction. ${DEBIT_KEYS}`,
  'AccountChanges.tokenDebitApiKeys':
    `Ids of the only API keys that may debit tokens. null or []: no restriction.` + ` ${DEBIT_KEYS}`,
  'AccountChanges.subscribeToNetworkEvents':
    'True: the service follows the account on chain and emits' + ' `account.network_activity` events. null: false.',
  'AccountChanges.offchainReferences': 'References to change. Absent members keep their value; null removes one.',
  'PositionChanges.offchainReferences': 'References to change. Absent members keep their value; null removes one.',
  'AddressLookupTableChanges.offchainReferences':
    'References to change. Absent members keep their value; null' + ' removes one.',
  'InactivateAccount.refundDestination':
    'Account that receives the remaining network currency. Required if the' + ' account has any.',

  'onchain.lastTransactionId':
    'Signature of the last transaction that changed a balance of the account; null: none' + ' known.',
  'onchain.lastTransactionAt': 'Time of that transaction, ISO 8601 in UTC; null: none known.',
  'onchain.creationTransactionId':
    'Signature of the transaction that created the account; null: none, or not by' + ' this service.',
  'onchain.creationTransactionAt': 'Time of the creation transaction, ISO 8601 in UTC; null: none known.',
  'offchain.type': 'Type of the account.',
  'offchain.code': 'Code that the client gave the account; null: none.',
  'offchain.alId': 'Additional identifier that the client gave the account; null: none.',
  alId: 'Additional identifier that the client gave the instrument. Absent: none.',
  'offchain.organizationExternalId': 'External id of the organization that owns the account.',
  'offchain.accountNumber': 'Account number that the client gave the account; null: none.',
  'offchain.name': 'Name that the client gave the account; null: none.',
  'offchain.lamportsBalance': 'Network currency in the books of the service, in lamports.',
  'offchain.tokenBalance': 'Tokens in the books of the service, in raw integer units; null: not a token account.',
  'offchain.tokenDecimals': 'Decimals of the token; null: not a token account or mint.',
  'offchain.lastTransactionId':
    'Id (UUID) of the last transaction of the service that changed a balance of the' + ' account; null: none.',
  'offchain.creationTransactionId': 'Id (UUID) of the transaction of the service that created the account; null: none.',
  'Account.status': 'ACTIVE: in use; CLOSED: inactivated, or its creation provably failed. A closed record is kept.',
  'AccountCompact.status':
    'ACTIVE: in use; CLOSED: inactivated, or its creation provably failed. A closed record is' + ' kept.',
  'Position.status': 'ACTIVE: in use; CLOSED: closed, or its creation provably failed. A closed record is kept.',
  'PositionCompact.status': 'ACTIVE: in use; CLOSED: closed, or its creation provably failed. A closed record is kept.',
  privateKeyLocation:
    'Where the private key is stored: DATABASE, SECRETS, DKG or REMOTE. []: the service does not hold it.',
  wasOnchainAlready: 'True if the account existed on chain when it was onboarded. Null in a record of another tenant.',
  newAccount: 'Ids of the created account.',
  updatedAccount: 'Ids of the changed account.',
  inactivatedAccount: 'Ids of the inactivated account.',
  'privateKeyDetails.location': 'Where the private key is stored: DATABASE, SECRETS, DKG or REMOTE.',

  'Balance.onchain': 'Balance that the chain reports now.',
  'Balance.offchain': 'Balance in the books of the service.',
  'Balance.reserved': 'Part of the balance that open transactions may still debit.',
  'Balance.available': 'Balance minus reservations: what a new transaction can debit.',
  outOfBalance: 'True if the books and the chain differ; reconciliation then reads the account from the chain.',

  'DebitLimitVerdict.destination': RECEIVER,
  'networkCurrencyDebitLimits.destination': RECEIVER,
  'tokenDebitLimits.destination': RECEIVER,
  'NetworkCurrencyDebitLimit.destination':
    'Class of the receiver that the limit applies to: OFF_PLATFORM (not' +
    ' onboarded), NON_MANAGED (key not made by the service in this tenant), MANAGED or ANY (default); or FEES,' +
    ' PRIORITY_FEES, RENT for what the account pays as fees and as rent for recipients.',
  'TokenDebitLimit.destination':
    'Class of the receiver that the limit applies to: OFF_PLATFORM (not onboarded),' +
    ' NON_MANAGED (key not made by the service in this tenant), MANAGED or ANY (default).',
  operationType: 'Operation that the limit applies to: TRANSFER, BURN, or ANY for both.',
  'TokenDebitLimit.mintAuthority':
    'The limit applies to instruments with this mint authority. Absent: all' + ' instruments.',
  'tokenDebitLimits.mintAuthority':
    'The limit applies to instruments with this mint authority. Absent: all' + ' instruments.',
  maxAllowedDebit: 'The largest debit allowed. Absent or null: unlimited.',
  limitType:
    'PER_TRANSACTION: the sum of the matching movements of one transaction; DURATION: the sum of the debits' +
    ' in a rolling window.',
  limitAmount: 'The largest sum allowed, in display units; for tokens per instrument.',
  'maxAllowedDebit.duration': 'Length of the rolling window of a DURATION limit; null for PER_TRANSACTION.',
  'MaxAllowedDebit.duration': 'Length of the rolling window. Required for DURATION, rejected for PER_TRANSACTION.',
  'duration.code': 'Unit of time.',
  'duration.unit': 'Number of units of time, at least 1.',
  approversForOverride:
    'Ids of the API keys that may approve a debit above the limit. []: an exceeding debit is' +
    ' rejected with 400 DEBIT_LIMIT_EXCEEDED.',
  'MaxAllowedDebit.approversForOverride':
    'Ids of the API keys that may approve a debit above the limit. Default []:' +
    ' an exceeding debit is rejected with 400 DEBIT_LIMIT_EXCEEDED.',
  requiredApproversCount: 'Number of approvers that must approve a debit above the limit.',
  'MaxAllowedDebit.requiredApproversCount':
    'Number of approvers that must approve a debit above the limit. Default' +
    ' 1, or 0 without approvers. More than the approvers named: 400 TOO_FEW_APPROVERS.',
  'DebitLimitVerdict.account': 'Ids of the account that is debited.',
  'DebitLimitVerdict.financialInstrument': 'The token that is debited. Absent: network currency.',
  'DebitLimitVerdict.operationType': 'Operation that the limit applies to.',
  debit: 'Debit of this transaction that counts against the limit, in display units.',
  used: 'Debits already counted in the window, in display units; 0 for PER_TRANSACTION.',
  'DebitLimitVerdict.verdict': 'PASSED: within the limit; EXCEEDED: above it.',
}
