// Converts a row of the baseline's table to the item that the interface returns for it.
import type { Row } from '../postgres/connection.ts'

export const ITEM_COLUMNS = 'id, type, managed, status, name, balance, address, code, account_number, organization'

export function itemOf(row: Row): object {
  const [id, type, managedText, status, name, balance, address, code, accountNumber, organization] = row
  const managed = managedText === 't'
  return {
    onchain: {
      id: address,
      lastTransactionId: null,
      lastTransactionAt: null,
      creationTransactionId: null,
      creationTransactionAt: null,
    },
    offchain: {
      id,
      type,
      code,
      alId: null,
      organizationExternalId: organization,
      accountNumber,
      name,
      lamportsBalance: Number(balance),
      tokenBalance: null,
      tokenDecimals: null,
      lastTransactionId: null,
      creationTransactionId: null,
    },
    managed,
    status,
    privateKeyLocation: managed ? ['DATABASE'] : [],
    isDerived: false,
    subscribeToNetworkEvents: false,
    sharedAcrossTenants: false,
    wasOnchainAlready: false,
    canPayFees: false,
    comments: null,
    domain: null,
    tenantOrganizationId: organization,
    globalFeePayerForOrgs: [],
    orgsAllowedToSignWithPrivateKey: [],
    solDebitApiKeys: [],
    tokenDebitApiKeys: [],
    networkCurrencyDebitLimits: null,
    tokenDebitLimits: null,
    destinationPolicy: 'OPEN',
    frozenByOperator: false,
    laneSuspended: false,
    symbol: null,
  }
}

export const IDENTIFIER_COLUMNS = 'id, managed, address, organization'

export function identifiersOf(row: Row): object {
  const [id, managed, address, organization] = row
  return { onchain: { id: address }, offchain: { id }, managed: managed === 't', tenantOrganizationId: organization }
}
