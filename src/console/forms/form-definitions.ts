// The forms for the main work: which members of which request each asks for. Types, choices and descriptions of the
// members come from the OpenAPI document.

import { may } from '../session.ts'

/** The records that a field can name. */
export type PickableKind = 'parties' | 'instruments'

export interface FormField {
  /** Path of the member within `itemData`, with dots; a number is an index of a list. */
  readonly path: string
  /** Absent: the name of the member. */
  readonly label?: string
  readonly pick?: PickableKind
  /** Other members that get the same value. */
  readonly also?: readonly string[]
  readonly isRequired?: boolean
  readonly first?: string
}

/** Fields that are repeated: the members of each item of a list. */
export interface FormGroup {
  readonly path: string
  readonly one: string
  readonly least: number
  readonly fields: readonly FormField[]
}

export interface FormDefinition {
  /** In the console's addresses. */
  readonly name: string
  readonly title: string
  readonly says: string
  readonly method: 'POST' | 'PATCH'
  /** Without `/api/v1`. */
  readonly path: string
  readonly roles: readonly string[]
  /** The list that links to the form. */
  readonly list: string
  readonly fields: readonly FormField[]
  readonly group?: FormGroup
  /** The field that is filled with the record whose page linked here, by the list of that record. */
  readonly from?: Readonly<Record<string, string>>
}

const REFERENCE: FormField = { path: 'externalReference', label: 'Reference' }
const MEMO: FormField = { path: 'memo' }
const AMOUNT: FormField = { path: 'amount', isRequired: true }
const OPENS: FormField = { path: 'initializeDestinationPositionIfNeeded', label: 'Open the position if there is none' }
const party = (path: string, label: string, isRequired = false): FormField => ({
  path,
  label,
  pick: 'parties',
  isRequired,
})
const instrument = (path: string, also: readonly string[] = [], isRequired = true): FormField => ({
  path,
  label: 'Instrument',
  pick: 'instruments',
  also,
  isRequired,
})
const limitFields = (path: string): FormField[] => [
  { path: `${path}.maxAllowedDebit.limitType`, isRequired: true },
  { path: `${path}.maxAllowedDebit.limitAmount` },
  { path: `${path}.maxAllowedDebit.duration.unit`, label: 'Duration' },
  { path: `${path}.maxAllowedDebit.duration.code`, label: 'Unit of the duration' },
  { path: `${path}.maxAllowedDebit.approversForOverride`, label: 'Approvers' },
  { path: `${path}.maxAllowedDebit.requiredApproversCount`, label: 'Approvals required' },
]

/** One entry is all that these forms send, and a list of its own puts the defaults of an account out of force. */
const REPLACES = 'It replaces every such limit that the account has, also the default ones'

const WRITERS = ['POSITIONS_WRITE', 'ACCOUNTS_WRITE'] as const
const ADMINS = ['PLATFORM_ADMIN', 'TENANT_ADMIN'] as const

export const FORMS: readonly FormDefinition[] = [
  {
    name: 'account',
    title: 'New account',
    says: 'Makes an account whose key this service keeps.',
    method: 'POST',
    path: '/accounts',
    roles: ['ACCOUNTS_WRITE'],
    list: 'accounts',
    fields: [
      { path: 'offchainReferences.code', label: 'Code' },
      { path: 'offchainReferences.name', label: 'Name' },
      { path: 'offchainReferences.type', label: 'Type' },
      { path: 'canPayFees' },
      { path: 'comments' },
    ],
  },
  {
    name: 'instrument',
    title: 'New instrument',
    says: 'Makes a token on chain, whose mint account this service keeps.',
    method: 'POST',
    path: '/financial-instruments',
    roles: ['INSTRUMENTS_WRITE'],
    list: 'instruments',
    fields: [
      { path: 'onchainData.name', label: 'Name', isRequired: true },
      { path: 'onchainData.symbol', label: 'Symbol', isRequired: true },
      { path: 'onchainData.decimals', label: 'Decimals', first: '2' },
      { path: 'version', first: 'TOKEN_2022', isRequired: true },
      party('mintAuthority', 'Mint authority', true),
      party('freezeAuthority', 'Freeze authority'),
      party('pausableAuthority', 'Pausable authority'),
      { path: 'maxSupply' },
      { path: 'mintAccount.offchainReferences.code', label: 'Code', isRequired: true },
    ],
  },
  {
    name: 'position',
    title: 'New position',
    says: 'Opens the token account in which the owner holds the instrument.',
    method: 'POST',
    path: '/positions',
    roles: ['POSITIONS_WRITE'],
    list: 'positions',
    fields: [party('owner', 'Owner', true), instrument('financialInstrument')],
    from: { accounts: 'owner', instruments: 'financialInstrument' },
  },
  {
    name: 'transfer',
    title: 'Transfer',
    says: 'Moves an instrument from one holder to another.',
    method: 'POST',
    path: '/positions/transfer',
    roles: ['POSITIONS_WRITE'],
    list: 'positions',
    fields: [
      party('source.owner', 'From', true),
      instrument('source.financialInstrument', ['destination.financialInstrument']),
      party('destination.owner', 'To', true),
      AMOUNT,
      MEMO,
      REFERENCE,
      OPENS,
    ],
    from: { accounts: 'source.owner', instruments: 'source.financialInstrument' },
  },
  {
    name: 'send',
    title: 'Send network currency',
    says: 'Moves network currency (SOL) from one account to another.',
    method: 'POST',
    path: '/positions/transfer-network-currency',
    roles: ['POSITIONS_WRITE'],
    list: 'accounts',
    fields: [party('source', 'From', true), party('destination', 'To', true), AMOUNT, MEMO, REFERENCE],
    from: { accounts: 'source' },
  },
  {
    name: 'mint',
    title: 'Mint',
    says: 'Makes new units of an instrument, for a holder.',
    method: 'POST',
    path: '/positions/mint',
    roles: ['POSITIONS_WRITE'],
    list: 'instruments',
    fields: [
      instrument('destination.financialInstrument'),
      party('destination.owner', 'To', true),
      AMOUNT,
      MEMO,
      REFERENCE,
      OPENS,
    ],
    from: { accounts: 'destination.owner', instruments: 'destination.financialInstrument' },
  },
  {
    name: 'burn',
    title: 'Burn',
    says: 'Destroys units that a holder has.',
    method: 'POST',
    path: '/positions/burn',
    roles: ['POSITIONS_WRITE'],
    list: 'instruments',
    fields: [party('source.owner', 'From', true), instrument('source.financialInstrument'), AMOUNT, MEMO, REFERENCE],
    from: { accounts: 'source.owner', instruments: 'source.financialInstrument' },
  },
  {
    name: 'trade',
    title: 'Trade',
    says: 'Several transfers in one transaction: all of them happen, or none. A leg without an instrument moves network currency.',
    method: 'POST',
    path: '/positions/trade',
    roles: ['POSITIONS_WRITE'],
    list: 'positions',
    fields: [MEMO, REFERENCE],
    group: {
      path: 'legs',
      one: 'Leg',
      least: 2,
      fields: [
        party('source.owner', 'From', true),
        instrument('source.financialInstrument', ['destination.financialInstrument'], false),
        party('destination.owner', 'To', true),
        AMOUNT,
        OPENS,
      ],
    },
  },
  {
    name: 'limits',
    title: 'Limit network currency',
    says:
      `Sets the limit of what an account may pay in network currency. ${REPLACES}: classes of receivers that it does ` +
      'not cover become unlimited. Fees and rent keep their default limits, unless it names their class.',
    method: 'PATCH',
    path: '/accounts',
    roles: ['ACCOUNT_POLICY_WRITE'],
    list: 'accounts',
    fields: [
      party('account', 'Account', true),
      { path: 'networkCurrencyDebitLimits.0.destination', isRequired: true },
      ...limitFields('networkCurrencyDebitLimits.0'),
    ],
    from: { accounts: 'account' },
  },
  {
    name: 'token-limits',
    title: 'Limit tokens',
    says:
      `Sets the limit of what an account may pay in tokens. ${REPLACES}: operations and classes of receivers that it ` +
      'does not cover become unlimited. The limits of a position hold beside it.',
    method: 'PATCH',
    path: '/accounts',
    roles: ['ACCOUNT_POLICY_WRITE'],
    list: 'accounts',
    fields: [
      party('account', 'Account', true),
      { path: 'tokenDebitLimits.0.operationType', isRequired: true },
      { path: 'tokenDebitLimits.0.destination', isRequired: true },
      ...limitFields('tokenDebitLimits.0'),
    ],
    from: { accounts: 'account' },
  },
  {
    name: 'policy',
    title: 'New approval policy',
    says: 'Names who has to approve operations, beside the key that asks for them.',
    method: 'POST',
    path: '/approval-policies',
    roles: ['APPROVAL_POLICIES_WRITE', 'TENANT_ADMIN'],
    list: 'policies',
    fields: [
      { path: 'operations', isRequired: true },
      instrument('financialInstrument', [], false),
      { path: 'above' },
      { path: 'approvers', isRequired: true },
      { path: 'requiredApproversCount', isRequired: true, first: '1' },
    ],
    from: { instruments: 'financialInstrument' },
  },
  {
    name: 'counterparty',
    title: 'New counterparty',
    says: 'Names an address outside, and whether it may be paid.',
    method: 'POST',
    path: '/counterparties',
    roles: ['COUNTERPARTIES_WRITE'],
    list: 'counterparties',
    fields: [
      { path: 'name', isRequired: true },
      { path: 'status', isRequired: true },
      { path: 'addresses.0.onchainId', label: 'Address', isRequired: true },
      { path: 'addresses.0.label', label: 'Label of the address' },
      { path: 'note' },
    ],
  },
  {
    name: 'payment-request',
    title: 'New payment request',
    says: 'Asks for a payment, with a page for the payer.',
    method: 'POST',
    path: '/payment-requests',
    roles: ['POSITIONS_WRITE'],
    list: 'payment-requests',
    fields: [
      party('destination', 'To', true),
      instrument('financialInstrument', [], false),
      AMOUNT,
      { ...REFERENCE, isRequired: true },
      MEMO,
      { path: 'expiresAt' },
    ],
  },
  {
    name: 'organization',
    title: 'New organization',
    says: 'Makes an organization: a tenant of its own, or one below a tenant.',
    method: 'POST',
    path: '/admin/organizations',
    roles: ADMINS,
    list: 'organizations',
    fields: [
      { path: 'externalId', isRequired: true },
      { path: 'name', isRequired: true },
      { path: 'parentExternalId', label: 'Parent' },
    ],
  },
  {
    name: 'key',
    title: 'New API key',
    says: 'Makes a key for a program or a person. Its secret is shown once.',
    method: 'POST',
    path: '/admin/api-keys',
    roles: ADMINS,
    list: 'keys',
    fields: [
      { path: 'organizationExternalId', label: 'Organization', isRequired: true },
      { path: 'name', isRequired: true },
      { path: 'bundle', isRequired: true },
      { path: 'expiresAt' },
    ],
    from: { organizations: 'organizationExternalId' },
  },
]

export const mayMakeBatches = (): boolean => may(...WRITERS) && may('TRANSACTIONS_READ')

/** True if this key may use the form. */
export const mayMake = (): boolean => formsFor(null).length > 0 || mayMakeBatches()

/** The forms that this key may use, all or those of one list. */
export function formsFor(list: string | null): readonly FormDefinition[] {
  return FORMS.filter((form) => may(...form.roles) && (list === null || form.list === list))
}

/** The forms that a record of a list can fill in, each with the field. */
export function formsFrom(list: string): readonly (readonly [form: FormDefinition, path: string])[] {
  return formsFor(null).flatMap((form) => {
    const path = form.from?.[list]
    return path === undefined ? [] : [[form, path] as const]
  })
}
