// Descriptions of transactions: configuration, results, records, dry runs and explanations.
import type { Descriptions } from './describe.ts'

const STATUS =
  'PREPARED: built, waits for signatures or approval; PARTIALLY_SIGNED; SIGNED: complete; SUBMITTED:' +
  ' sent; PROCESSED, CONFIRMED,' +
  ' FINALIZED: as the cluster reports; BLOCKCHAIN_ERROR: finalized with an error; NON_BLOCKCHAIN_ERROR: accepted' +
  ' but could not be built or' +
  ' signed; CANCELLED; EXPIRED: provably never executed.'

export const TRANSACTIONS: Descriptions = {
  'ChainTransactionConfig.feePayer':
    'Account that pays the fee. Default: an account of the tenant or the system tenant that is a global fee payer of' +
    ' the organization, else an account of the organization with `canPayFees`, else one that another tenant grants;' +
    ' none: 400 FEE_PAYER_REQUIRED.',
  computeUnitConfig: 'Compute budget of the transaction. Default: the limit of the operation and no priority fee.',
  enable: 'True: without `limit`, the limit comes from a simulation. False: the whole configuration is ignored.',
  'computeUnitConfig.limit':
    'Limit of compute units, 1 to 1400000. Default: from a simulation if `enable` is true,' +
    ' else that of the operation.',
  priceEstimate:
    'Computes the price from recent fees on the accounts that the transaction writes to. Ignored if' +
    ' `price` is given.',
  provider: 'Source of recent fees: NETWORK, the cluster. Default NETWORK.',
  calculationStrategy: 'How the price is computed from recent fees. Default DEFAULT.',
  priorityLevel: 'How much of the recent fees the price exceeds, from MIN to VERY_HIGH. Default RECOMMENDED.',
  commitmentConfig: 'The commitment that the response waits for.',
  commitmentLevel:
    'The response is sent when the transaction has reached this commitment or failed, or when the' +
    ' waiting time is over.',
  messageLifetimeStrategy:
    'RECENT_BLOCKHASH: the message is valid for about a minute; DURABLE_NONCE: until its' +
    ' nonce is advanced. The service leases a free nonce account of the organization (400 NONCE_UNAVAILABLE).',
  transactionVersion: 'Format of the message: V0, which can use address lookup tables, or LEGACY.',

  success: 'True from SIGNED on, unless the transaction failed, was cancelled or expired.',
  'ChainTransactionResult.offchainId': 'Id of the transaction in the service, a UUID.',
  'ChainTransactionResult.status': STATUS,
  'SignedTransaction.status': STATUS,
  'Transaction.status': STATUS,
  'TransactionCompact.status': STATUS,
  'Explanation.transaction.status': STATUS,
  confirmationsCount: 'Confirmations that the cluster reported; 0 before the first. 32: finalized.',
  errorMessage: 'Why the transaction failed. Absent: it did not.',
  given: 'Number of keys that have approved every entry of which they are approvers.',
  'approval.expiresAt': 'Time at which the transaction lapses without approval (CANCELLED), ISO 8601 in UTC.',
  fee: 'Fee (base and priority) in the network currency, in display units.',
  'Transaction.feePayer': 'Account that pays the fee.',
  'Transaction.accounts': 'Accounts of the message, in its order.',
  'accounts.offchainId': 'Id of the account record, a UUID; null: not onboarded.',
  'feePayer.offchainId': 'Id of the account record, a UUID; null: not onboarded.',
  'Transaction.nonceAccount.offchainId': 'Id of the account record, a UUID; null: not onboarded.',
  recentBlockhash: 'Blockhash or nonce value of the message; null: none.',
  lastValidBlockHeight: 'Last block height at which the message can be executed; null under a durable nonce.',
  'Transaction.nonceAccount': 'The nonce account of a DURABLE_NONCE message; null: none.',
  'Transaction.messageLifetimeStrategy': 'RECENT_BLOCKHASH or DURABLE_NONCE.',
  computeUnitsConsumed: 'Compute units that the execution used; null: not known yet.',
  computeUnitsLimit: 'Limit of compute units in the message; null: that of the cluster.',
  computeUnitPrice: 'Price of a compute unit in micro-lamports; null: none.',
  instructions: 'The instructions of the message, in order.',
  'instructions.type': 'Name of the instruction.',
  programId: 'Address of the program.',
  'Transaction.endpoint': 'Endpoint that made the transaction, such as `POST /api/v1/positions/transfer`; null: none.',
  externalReference: 'Reference of the client, as the request gave it; null: none.',
  blockTime: 'Time of the block, ISO 8601 in UTC; null: not known yet.',
  slot: 'Slot of the block; null: not known yet.',
  preparedAt: 'Time at which the transaction was built, ISO 8601 in UTC.',
  history: 'Every status reached and every attempt to send, in order.',
  feePayerName: 'Name under which the caller knows the fee payer: its code, its name or its counterparty; null: none.',
  movements: 'What the message moves, at most 16 movements; `/transactions/explain` has every instruction.',
  'TransactionMovement.type': 'What happens.',
  'TransactionMovement.source': 'The account that is debited; null: none.',
  'TransactionMovement.destination': 'The account that is credited, frozen or unfrozen; null: none.',
  'TransactionMovement.amount': 'Amount in display units; null: none, or its decimals are not known.',
  'TransactionMovement.symbol': 'Symbol of the instrument, else its code or address; null: not known.',
  'MovementParty.onchainId': 'Address of the account.',
  'MovementParty.offchainId': 'Id of the account record, a UUID; null: none that the caller may read.',
  ownerOnchainId: 'Address of the owner, if the account is a token account on record; null: not known.',
  'MovementParty.name':
    'Name under which the caller knows the account or its owner: code, name or counterparty; null:' + ' none.',
  'history.status': 'Status that was reached, or in which the attempt was made.',
  'history.at': 'Time of the entry, ISO 8601 in UTC.',
  'history.detail': 'Further information about the entry; null or absent: none.',

  'Explanation.transaction': 'The transaction: its result and its external reference.',
  checks: 'The checks that the transaction passed or still has to pass.',
  rule: 'Name of the check, such as DEBIT_LIMITS.',
  'checks.detail': 'The result of the check in one sentence.',
  judgedOn: 'The facts that the check is based on.',
  'Explanation.attempts': 'Every send of the transaction. Later sends share an entry.',
  'attempts.status': 'Status at the time of the send.',
  'attempts.at': 'Time of the send, ISO 8601 in UTC.',
  'attempts.detail': 'The entry as the history of the transaction records it.',
  'attempts.attempt': 'Number of the send, from 1; of a shared entry, that of the last.',
  'attempts.endpoint': 'RPC endpoint that the transaction was sent to.',
  'attempts.answer': 'Response of the RPC endpoint; null: none recorded.',
  'Explanation.signatures': 'The required signatures.',
  'signatures.onchainId': 'Address of the signer.',
  'signatures.offchainId': 'Id of the account record of the signer, a UUID; null: not onboarded.',
  signed: 'True if the signature exists.',
  ours: 'True if the service made the signature, or would make it.',
  reservations: 'Amounts that the transaction still reserves.',
  'reservations.offchainId': 'Id of the record whose balance is reserved, a UUID.',
  asset: 'What is reserved: `lamports`, `tokens` or `supply`.',
  'reservations.amount': 'Reserved amount in raw integer units.',
  attestation: 'The outcome that administrators attested. Absent: none.',
  'attestation.outcome': 'The attested outcome.',
  'attestation.keyId': 'Id of the API key that attested it.',
  'watch.attempts': 'Number of sends since the service started to watch the transaction.',
  unproven: 'Why the transaction is not proven to have expired; null: not examined yet.',
  expiryProof: 'The facts that prove that the transaction can never be executed. Absent: no proof.',

  'TransactionReference.onchainId': 'First signature of the transaction: base58 of 64 bytes.',
  'SignTransaction.transaction':
    'A transaction of the service. Exactly one of `transaction` and' + ' `serializedTransaction` is required.',
  'SubmitTransaction.transaction':
    'A transaction of the service. Exactly one of `transaction` and' + ' `serializedTransaction` is required.',
  'transaction.offchainId': 'Id of the transaction in the service, a UUID.',
  serializedTransaction:
    'A transaction made elsewhere: base64 of its bytes. It passes the same checks as a' +
    ' transaction of the service (400 TRANSACTION_MALFORMED, 403 INSTRUCTION_NOT_ALLOWED).',
  'SignTransaction.signers': 'Managed accounts that sign now.',
  'SignTransaction.signatures': 'Signatures made outside the service.',
  'SignTransaction.signatures.onchainId': 'Address of the signer: base58 of 32 bytes.',
  signature: 'Signature of the message: base58 of 64 bytes.',
  returnSerialized: 'True: the response contains the transaction with the signatures of the service. Default false.',
  'ApproveTransaction.offchainId': 'Id of the transaction to approve, a UUID.',
  'CancelTransaction.offchainId': 'Id of the transaction to cancel, a UUID.',
  'AttestTransaction.offchainId': 'Id of the transaction whose outcome is attested, a UUID.',
  'AttestTransaction.outcome':
    'The outcome that the evidence shows. Two PLATFORM_ADMIN keys must attest the same' + ' outcome.',

  'DryRun.dryRun':
    'What the request would do. Nothing was changed. The request may still be refused: see the verdicts in `limits`.',
  'DryRun.dryRun.transactionsCount':
    'Number of transactions, if the request takes several. `feeLamports` and `limits` are those of all that can be built' +
    ' before the first is confirmed, the other members those of the first.',
  feeLamports: 'Fee (base and priority) in lamports.',
  sizeBytes: 'Size of the transaction in bytes, at most 1232.',
  'dryRun.accounts': 'Addresses of the accounts of the message.',
  'dryRun.signers': 'Accounts that have to sign.',
  'signers.managed': 'True if the service holds the private key and would sign.',
  simulation: 'Result of a simulation of the unsigned message; null: the cluster is unknown.',
  'simulation.error': 'Error of the simulation; null: it succeeded.',
  computeUnits: 'Compute units that the simulation used; null: not reported.',
  logs: 'Log lines of the programs.',

  newAddressLookupTable: 'Ids of the created table.',
  updatedAddressLookupTable: 'Ids of the changed table.',
  extendedAddressLookupTable: 'Ids of the extended table.',
  addressLookupTable: 'Lookup of the table.',
  'NewAddressLookupTable.addressLookupTable':
    'The table to create or onboard. Its address is derived: `onchainId`' + ' or a key only with `alreadyOnchain`.',
  'AddressLookupTable.addressLookupTable': 'Account record of the table.',
  'NewAddressLookupTable.authority':
    'Authority of the table, which signs. Required unless the table is' + ' `alreadyOnchain`.',
  componentAddresses:
    'Accounts to add to the table, at most 256 in all, none twice (400 DUPLICATE_ADDRESS). They' +
    ' can never be removed.',
  action:
    'FREEZE: gives up the authority for ever; DEACTIVATE: the first step to close the table; CLOSE: closes a' +
    ' deactivated table (400 TABLE_DEACTIVATING if it is too early). Absent: only the record changes.',
  addresses: 'The addresses of the table, by index.',
  'addresses.offchainId': 'Id of the account record, a UUID. Absent: not onboarded.',
  'AddressLookupTable.state':
    'ACTIVE: usable; DEACTIVATING: can be closed soon; CLOSED; FROZEN: usable, cannot' + ' change.',

  newDurableNonceAccounts: 'Ids of the created nonce accounts.',
  nonceAccounts:
    'The nonce accounts to create or onboard, 1 to 100. Exactly one of `nonceAccounts` and `count` is' + ' required.',
  'NewNonces.count':
    'Number of nonce accounts to create with keys made by the service, 1 to 100. Exactly one of' +
    ' `nonceAccounts` and `count` is required.',
  nonceAccount: 'Account record of the nonce account.',
  nonceAuthority: 'Account that may advance the nonce.',
  'nonceAuthority.offchain': 'Reference to the record of the authority.',
  'nonceAuthority.onchain': 'Address of the authority.',
  'nonceAuthority.offchain.id': 'Id of the account record, a UUID; null: not onboarded.',
  'nonceAuthority.tenantOrganizationId':
    'External id of the organization that the account belongs to; null: not' + ' onboarded.',
  inUse: 'The transaction that leases the nonce; null: the nonce is free.',
  transactionOffchainId: 'Id of the transaction, a UUID.',
  transactionAt: 'Start of the lease, ISO 8601 in UTC.',
  outputConfig: 'What the response contains.',
  excludePrivateKeyDetails: 'False: the response has `privateKeyDetails` with the location of the key, never the key.',
  'items.privateKeyDetails':
    'Where the key is stored, and the public key. Only with `excludePrivateKeyDetails:' + ' false`.',
  'postAccountsSinglePrivateKey.privateKeyDetails': 'The exported key.',
}
