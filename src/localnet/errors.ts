// The engine reports errors as bare numbers (the order of its Rust enums). These are the names a real node answers with in
// JSON, in that order; a test compares the tables with the engine's type declarations.

import type { TransactionErrorJson } from './contract.ts'

export const TRANSACTION_ERRORS: readonly string[] = [
  'AccountInUse', 'AccountLoadedTwice', 'AccountNotFound', 'ProgramAccountNotFound', 'InsufficientFundsForFee',
  'InvalidAccountForFee', 'AlreadyProcessed', 'BlockhashNotFound', 'CallChainTooDeep', 'MissingSignatureForFee',
  'InvalidAccountIndex', 'SignatureFailure', 'InvalidProgramForExecution', 'SanitizeFailure', 'ClusterMaintenance',
  'AccountBorrowOutstanding', 'WouldExceedMaxBlockCostLimit', 'UnsupportedVersion', 'InvalidWritableAccount',
  'WouldExceedMaxAccountCostLimit', 'WouldExceedAccountDataBlockLimit', 'TooManyAccountLocks', 'AddressLookupTableNotFound',
  'InvalidAddressLookupTableOwner', 'InvalidAddressLookupTableData', 'InvalidAddressLookupTableIndex',
  'InvalidRentPayingAccount', 'WouldExceedMaxVoteCostLimit', 'WouldExceedAccountDataTotalLimit',
  'MaxLoadedAccountsDataSizeExceeded', 'ResanitizationNeeded', 'InvalidLoadedAccountsDataSizeLimit', 'UnbalancedTransaction',
  'ProgramCacheHitMaxLimit', 'CommitCancelled',
]

export const INSTRUCTION_ERRORS: readonly string[] = [
  'GenericError', 'InvalidArgument', 'InvalidInstructionData', 'InvalidAccountData', 'AccountDataTooSmall', 'InsufficientFunds',
  'IncorrectProgramId', 'MissingRequiredSignature', 'AccountAlreadyInitialized', 'UninitializedAccount',
  'UnbalancedInstruction', 'ModifiedProgramId', 'ExternalAccountLamportSpend', 'ExternalAccountDataModified',
  'ReadonlyLamportChange', 'ReadonlyDataModified', 'DuplicateAccountIndex', 'ExecutableModified', 'RentEpochModified',
  'NotEnoughAccountKeys', 'AccountDataSizeChanged', 'AccountNotExecutable', 'AccountBorrowFailed', 'AccountBorrowOutstanding',
  'DuplicateAccountOutOfSync', 'InvalidError', 'ExecutableDataModified', 'ExecutableLamportChange',
  'ExecutableAccountNotRentExempt', 'UnsupportedProgramId', 'CallDepth', 'MissingAccount', 'ReentrancyNotAllowed',
  'MaxSeedLengthExceeded', 'InvalidSeeds', 'InvalidRealloc', 'ComputationalBudgetExceeded', 'PrivilegeEscalation',
  'ProgramEnvironmentSetupFailure', 'ProgramFailedToComplete', 'ProgramFailedToCompile', 'Immutable', 'IncorrectAuthority',
  'AccountNotRentExempt', 'InvalidAccountOwner', 'ArithmeticOverflow', 'UnsupportedSysvar', 'IllegalOwner',
  'MaxAccountsDataAllocationsExceeded', 'MaxAccountsExceeded', 'MaxInstructionTraceLengthExceeded',
  'BuiltinProgramsMustConsumeComputeUnits', 'BorshIoError',
]

/** Errors met while loading accounts, after the fee payer was found good: a cluster takes the fee and keeps the transaction. */
const FEE_ONLY: ReadonlySet<TransactionErrorJson> = new Set([
  'ProgramAccountNotFound', 'InvalidProgramForExecution', 'MaxLoadedAccountsDataSizeExceeded',
])

type EngineInstructionError = number | { readonly custom: number } | { readonly borsh: string }

/** The engine's error value by shape: a number, or an object that says which instruction or account. */
export type EngineError =
  | number
  | { readonly kind: 'instruction'; readonly index: number; readonly error: EngineInstructionError }
  | { readonly kind: 'DuplicateInstruction'; readonly index: number }
  | { readonly kind: 'InsufficientFundsForRent' | 'ProgramExecutionTemporarilyRestricted'; readonly accountIndex: number }

/** JSON of an error as `getSignatureStatuses` and `sendTransaction` of a real node show it. */
export function errorJson(error: EngineError): TransactionErrorJson {
  if (typeof error === 'number') return TRANSACTION_ERRORS[error] ?? `Unknown(${error})`
  if (error.kind === 'DuplicateInstruction') return { DuplicateInstruction: error.index }
  if (error.kind !== 'instruction') return { [error.kind]: { account_index: error.accountIndex } }
  const inner = error.error
  if (typeof inner === 'number') return { InstructionError: [error.index, INSTRUCTION_ERRORS[inner] ?? `Unknown(${inner})`] }
  return { InstructionError: [error.index, 'custom' in inner ? { Custom: inner.custom } : { BorshIoError: inner.borsh }] }
}

export function isFeeOnly(error: TransactionErrorJson): boolean {
  return FEE_ONLY.has(error)
}
