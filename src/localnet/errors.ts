// Names of the engine's numeric errors (the order of its Rust enums), as a real node returns them in JSON. A test
// compares the tables with the engine's type declarations.

import type { TransactionErrorJson } from './contract.ts'

export const TRANSACTION_ERRORS: readonly string[] = [
  'AccountInUse',
  'AccountLoadedTwice',
  'AccountNotFound',
  'ProgramAccountNotFound',
  'InsufficientFundsForFee',
  'InvalidAccountForFee',
  'AlreadyProcessed',
  'BlockhashNotFound',
  'CallChainTooDeep',
  'MissingSignatureForFee',
  'InvalidAccountIndex',
  'SignatureFailure',
  'InvalidProgramForExecution',
  'SanitizeFailure',
  'ClusterMaintenance',
  'AccountBorrowOutstanding',
  'WouldExceedMaxBlockCostLimit',
  'UnsupportedVersion',
  'InvalidWritableAccount',
  'WouldExceedMaxAccountCostLimit',
  'WouldExceedAccountDataBlockLimit',
  'TooManyAccountLocks',
  'AddressLookupTableNotFound',
  'InvalidAddressLookupTableOwner',
  'InvalidAddressLookupTableData',
  'InvalidAddressLookupTableIndex',
  'InvalidRentPayingAccount',
  'WouldExceedMaxVoteCostLimit',
  'WouldExceedAccountDataTotalLimit',
  'MaxLoadedAccountsDataSizeExceeded',
  'ResanitizationNeeded',
  'InvalidLoadedAccountsDataSizeLimit',
  'UnbalancedTransaction',
  'ProgramCacheHitMaxLimit',
  'CommitCancelled',
]

export const INSTRUCTION_ERRORS: readonly string[] = [
  'GenericError',
  'InvalidArgument',
  'InvalidInstructionData',
  'InvalidAccountData',
  'AccountDataTooSmall',
  'InsufficientFunds',
  'IncorrectProgramId',
  'MissingRequiredSignature',
  'AccountAlreadyInitialized',
  'UninitializedAccount',
  'UnbalancedInstruction',
  'ModifiedProgramId',
  'ExternalAccountLamportSpend',
  'ExternalAccountDataModified',
  'ReadonlyLamportChange',
  'ReadonlyDataModified',
  'DuplicateAccountIndex',
  'ExecutableModified',
  'RentEpochModified',
  'NotEnoughAccountKeys',
  'AccountDataSizeChanged',
  'AccountNotExecutable',
  'AccountBorrowFailed',
  'AccountBorrowOutstanding',
  'DuplicateAccountOutOfSync',
  'InvalidError',
  'ExecutableDataModified',
  'ExecutableLamportChange',
  'ExecutableAccountNotRentExempt',
  'UnsupportedProgramId',
  'CallDepth',
  'MissingAccount',
  'ReentrancyNotAllowed',
  'MaxSeedLengthExceeded',
  'InvalidSeeds',
  'InvalidRealloc',
  'ComputationalBudgetExceeded',
  'PrivilegeEscalation',
  'ProgramEnvironmentSetupFailure',
  'ProgramFailedToComplete',
  'ProgramFailedToCompile',
  'Immutable',
  'IncorrectAuthority',
  'AccountNotRentExempt',
  'InvalidAccountOwner',
  'ArithmeticOverflow',
  'UnsupportedSysvar',
  'IllegalOwner',
  'MaxAccountsDataAllocationsExceeded',
  'MaxAccountsExceeded',
  'MaxInstructionTraceLengthExceeded',
  'BuiltinProgramsMustConsumeComputeUnits',
  'BorshIoError',
]

/**
 * Errors of loading accounts, after the fee payer was validated: a cluster charges the fee and records the transaction.
 */
const FEE_ONLY: ReadonlySet<TransactionErrorJson> = new Set([
  'ProgramAccountNotFound',
  'InvalidProgramForExecution',
  'MaxLoadedAccountsDataSizeExceeded',
])

type EngineInstructionError = number | { readonly custom: number } | { readonly borsh: string }

/** The engine's error value: a number, or an object that names the instruction or account. */
export type EngineError =
  | number
  | { readonly kind: 'instruction'; readonly index: number; readonly error: EngineInstructionError }
  | { readonly kind: 'DuplicateInstruction'; readonly index: number }
  | {
      readonly kind: 'InsufficientFundsForRent' | 'ProgramExecutionTemporarilyRestricted'
      readonly accountIndex: number
    }

/** JSON of an error as `getSignatureStatuses` and `sendTransaction` of a real node return it. */
export function errorJson(error: EngineError): TransactionErrorJson {
  if (typeof error === 'number') return TRANSACTION_ERRORS[error] ?? `Unknown(${error})`
  if (error.kind === 'DuplicateInstruction') return { DuplicateInstruction: error.index }
  if (error.kind !== 'instruction') return { [error.kind]: { account_index: error.accountIndex } }
  const inner = error.error
  if (typeof inner === 'number')
    return { InstructionError: [error.index, INSTRUCTION_ERRORS[inner] ?? `Unknown(${inner})`] }
  return {
    InstructionError: [error.index, 'custom' in inner ? { Custom: inner.custom } : { BorshIoError: inner.borsh }],
  }
}

export function isFeeOnly(error: TransactionErrorJson): boolean {
  return FEE_ONLY.has(error)
}
