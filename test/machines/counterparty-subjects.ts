// A counterparty for tests of its machine.
import type { CounterpartyContext } from '../../machines/counterparty.ts'
import { AT } from './records.ts'

export const LATER = '2026-11-22T08:00:00.000Z'

export const counterparty: CounterpartyContext = {
  organization: 'ACME',
  externalReference: 'crm 1',
  name: 'Bank',
  status: 'ALLOWED',
  addresses: [{ address: 'One111', label: 'main', since: AT }],
  note: null,
  createdAt: AT,
  updatedAt: AT,
}

const update = (changes: object, at = LATER) => ({ type: 'command.update', changes, at })
const [one, two, three] = ['One111', 'Two111', 'Three111'].map((address) => ({ address, label: null }))

export const COUNTERPARTY_SUBJECTS = {
  counterparty: {
    inputs: [
      { counterparty },
      { counterparty: { ...counterparty, externalReference: null, status: 'BLOCKED', addresses: [], note: 'none' } },
    ],
    states: ['active'],
    alphabet: [
      ...['ALLOWED', 'REVIEW', 'BLOCKED'].map((status) => update({ status })),
      update({ addresses: [one, two] }),
      update({ addresses: [two, three], status: 'ALLOWED' }),
      update({ addresses: [one, one] }),
      update({ addresses: [] }),
      update({ name: 'Other', note: 'n', externalReference: null }),
      update({ name: ' ' }),
      update({ organization: 'BANK' }),
    ],
  },
}
