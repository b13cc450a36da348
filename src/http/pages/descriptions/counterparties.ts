// Descriptions of counterparties and destination policies.
import type { Descriptions } from './describe.ts'

const COOLING_OFF =
  'Hours after which an allow list of the organization admits an address that was listed or changed, at' +
  ' most 8760. Default 0.'
const REVIEW_APPROVAL =
  'Who approves payments to counterparties in REVIEW. null: one other key with the role DEBIT_LIMIT_APPROVE of the' +
  ' organization or of the root of its tenant.'

export const COUNTERPARTIES: Descriptions = {
  'CounterpartyChanges.externalReference':
    'New reference of the counterparty in another system; null clears. Without `counterparty` and `offchainId`, it names' +
    ' the counterparty to change: the only one of the organization that has it.',
  'Counterparty.externalReference': 'Reference of the counterparty in another system; null: none.',
  'CounterpartyLookup.offchainId': 'Id of the counterparty, unless `externalReference` is given.',
  'NewCounterparty.name': 'Name of the counterparty.',
  'CounterpartyChanges.name': 'New name of the counterparty.',
  'Counterparty.name': 'Name of the counterparty.',
  'CounterpartyName.name': 'Name of the counterparty.',
  'AddressOnly.counterparty': 'The counterparty that lists the address; absent: none.',
  'NewCounterparty.status':
    'ALLOWED: an allow list admits its addresses; REVIEW: a payment needs an approval; BLOCKED: its' +
    ' addresses are never paid.',
  'CounterpartyChanges.status': 'New status. The cooling-off time starts again if it permits more than before.',
  'Counterparty.status':
    'ALLOWED: an allow list admits its addresses; REVIEW: a payment needs an approval; BLOCKED: its' +
    ' addresses are never paid.',
  'NewCounterparty.addresses':
    'Addresses of the counterparty, at most 100. An address belongs to one counterparty of a' + ' tenant.',
  'CounterpartyChanges.addresses': 'All addresses of the counterparty: the list replaces the present one.',
  'Counterparty.addresses': 'Addresses of the counterparty.',
  'NewCounterpartyAddress.onchainId': 'The address: of a wallet, and not of its token accounts.',
  'NewCounterpartyAddress.label': 'Label of the address.',
  'CounterpartyAddress.onchainId': 'The address.',
  'CounterpartyAddress.label': 'Label of the address; null: none.',
  listedAt: 'Time at which the cooling-off time of the address started, ISO 8601 in UTC.',
  'NewCounterparty.note': 'Free text.',
  'CounterpartyChanges.note': 'Free text; null clears.',
  'Counterparty.note': 'Free text; null: none.',
  'CounterpartyChanges.counterparty':
    'The counterparty to change, unless `offchainId` or only `externalReference` is given.',
  'CounterpartyChanges.offchainId':
    'Id of the counterparty to change, unless `counterparty` or only `externalReference` is given.',
  newCounterparty: 'Id of the created counterparty.',
  updatedCounterparty: 'Id of the changed counterparty.',
  'PaymentReview.counterparty': 'The counterparty that is under review.',
  'accounts.counterparty':
    'Counterparty that lists the address, or the owner of the token account. Absent: none; only in the' +
    ' details of a transaction.',
  'PaymentReview.onchainId': 'Address of the counterparty that the transaction pays.',
  'PaymentReview.organizationExternalId': 'External id of the organization whose approvers decide.',
  'approval.reviews': 'Payments to counterparties under review. Absent: none.',
  'OrganizationChanges.destinationPolicy':
    'OPEN: the accounts of the organization pay any address that is not blocked;' +
    ' ALLOW_LIST: own managed accounts and allowed counterparties only, else 403 DESTINATION_NOT_ALLOWED. Default OPEN, which null' +
    ' restores.',
  'Organization.destinationPolicy':
    'OPEN: any address that is not blocked is paid; ALLOW_LIST: own managed accounts and' +
    ' allowed counterparties only.',
  'OrganizationChanges.coolingOffHours': `${COOLING_OFF} null restores it.`,
  'Organization.coolingOffHours': COOLING_OFF,
  'OrganizationChanges.reviewApproval': REVIEW_APPROVAL,
  'Organization.reviewApproval': REVIEW_APPROVAL,
  'OrganizationChanges.screening':
    'Service that is asked about every movement before a key of the organization signs. null:' + ' none.',
  'Organization.screening': 'Service that is asked before a key of the organization signs; null: none.',
  'NewScreening.url': 'URL that the movements are sent to by POST, signed as webhooks are.',
  'NewScreening.secret':
    'Secret of the signatures: `whsec_` and the base64 of 24 to 64 bytes. Never shown. Absent: the' + ' stored one.',
  'NewScreening.timeoutMs': 'Milliseconds to wait for an answer, 100 to 10000. Default 3000.',
  'NewScreening.onUnavailable':
    'Without a usable answer: REFUSE the payment (503), or REVIEW: it waits for approval. Default' + ' REFUSE.',
  'Screening.url': 'URL that the movements are sent to.',
  'Screening.timeoutMs': 'Milliseconds to wait for an answer.',
  'Screening.onUnavailable': 'Without a usable answer: REFUSE the payment, or REVIEW: it waits for approval.',
  'approval.screenings': 'Answers of screening services because of which the approval is needed. Absent: none.',
  'ScreeningReview.screening': 'The answer of a screening service.',
  'screening.organizationExternalId': 'External id of the organization whose service answered.',
  'screening.reason': 'Reason that the service gave; null: none.',
  'ReviewApproval.approvers': 'Ids of API keys of the tenant that may approve; they need the role DEBIT_LIMIT_APPROVE.',
  'Organization.reviewApproval.approvers': 'Ids of the API keys that may approve.',
  'ReviewApproval.requiredApproversCount': 'Number of different keys that have to approve. Default 1.',
  'Organization.reviewApproval.requiredApproversCount': 'Number of different keys that have to approve.',
  'NewAccount.destinationPolicy':
    'ALLOW_LIST: the account pays own managed accounts and allowed counterparties only. OPEN' +
    ' leaves the decision to the organization. Default OPEN.',
  'AccountChanges.destinationPolicy':
    'ALLOW_LIST: the account pays own managed accounts and allowed counterparties only.' +
    ' OPEN or null leaves the decision to the organization. Requires the role ACCOUNT_POLICY_WRITE.',
  destinationPolicy:
    'ALLOW_LIST: the account pays own managed accounts and allowed counterparties only; OPEN: the policy' +
    ' of the organization decides; null: not visible to the caller.',
}
