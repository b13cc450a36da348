// Operations that the table names before they are there. They refuse, so that nothing can be mistaken for done.
import type { AccountLookup, BurnInput, ClosePositionInput, DisableApiKeyInput, ItemBody, MintInput, NewAccountInput, NewApiKeyInput,
  NewInstrumentInput, NewOrganizationInput, NewPositionInput, OrganizationChangesInput, PositionLookup, RotateApiKeyInput, TransactionBody,
  TransactionReference, TransferInput, TransferNetworkCurrencyInput } from '../operations/input.ts'
import type { Read, Write } from '../operations/platform.ts'
import { Refusal } from '../operations/refusal.ts'

function absent(): Promise<never> {
  return Promise.reject(new Refusal(503, [{ code: 'NOT_AVAILABLE', message: 'this endpoint is not available', retryable: false }]))
}

export const createAccount: Write<TransactionBody<NewAccountInput>> = absent
export const accountDetails: Read<ItemBody<AccountLookup>> = absent
export const accountBalance: Read<ItemBody<AccountLookup>> = absent
export const createInstrument: Write<TransactionBody<NewInstrumentInput>> = absent
export const instrumentDetails: Read<ItemBody<AccountLookup>> = absent
export const initializePosition: Write<TransactionBody<NewPositionInput>> = absent
export const mintTokens: Write<TransactionBody<MintInput>> = absent
export const burnTokens: Write<TransactionBody<BurnInput>> = absent
export const transferTokens: Write<TransactionBody<TransferInput>> = absent
export const closePosition: Write<TransactionBody<ClosePositionInput>> = absent
export const transferNetworkCurrency: Write<TransactionBody<TransferNetworkCurrencyInput>> = absent
export const positionDetails: Read<ItemBody<PositionLookup>> = absent
export const positionBalance: Read<ItemBody<PositionLookup>> = absent
export const transactionStatus: Read<ItemBody<TransactionReference>> = absent
export const transactionDetails: Read<ItemBody<TransactionReference>> = absent
export const createOrganization: Write<ItemBody<NewOrganizationInput>> = absent
export const updateOrganization: Write<ItemBody<OrganizationChangesInput>> = absent
export const createApiKey: Write<ItemBody<NewApiKeyInput>> = absent
export const rotateApiKey: Write<ItemBody<RotateApiKeyInput>> = absent
export const disableApiKey: Write<ItemBody<DisableApiKeyInput>> = absent
