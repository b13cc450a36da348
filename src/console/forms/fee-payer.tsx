// The choice of the fee payer, where there are several: without a choice the service uses an account that is granted to
// the organization, else the first of its own that can pay, and none for a request that needs no transaction.
import type { VNode } from 'preact'
import { bulk, count, type Answer, type Filter } from '../api.ts'
import { useLoaded } from '../loading.tsx'
import { current, may } from '../session.ts'
import { visible } from '../text.tsx'
import { at, textAt } from '../value.ts'

const MOST = 200
const ACCOUNTS = '/accounts/bulk/detailed'

export interface FeePayers {
  readonly loading: boolean
  /** The candidates; empty: there is no choice. */
  readonly choice: readonly Answer[]
}

/** @param occasion the candidates are requested again for each; null: not requested */
export function useFeePayers(occasion: string | null): FeePayers {
  const asks = occasion !== null && may('ACCOUNTS_READ')
  const candidates = useLoaded(asks ? occasion : null, fetchCandidates)
  // If the candidates are unknown, none is offered.
  return asks ? { loading: candidates.loading, choice: candidates.value ?? [] } : { loading: false, choice: [] }
}

async function fetchCandidates(signal: AbortSignal): Promise<readonly Answer[]> {
  const session = current()
  const organization = session?.scope.organization ?? session?.identity.organizationExternalId ?? ''
  const [granted, { items }] = await Promise.all([
    count(ACCOUNTS, [equal('orgsIsGlobalFeePayerFor', { valueString: organization }), ACTIVE], signal),
    bulk(
      ACCOUNTS,
      {
        filter: [
          equal('canPayFees', { valueBoolean: true }),
          equal('tenantOrganizationId', { valueString: organization }),
          ACTIVE,
        ],
        limit: MOST,
      },
      signal,
    ),
  ])
  return granted > 0 || items.length < 2 ? [] : items
}

const equal = (fieldName: string, value: object): Filter => ({
  fieldName,
  filterValues: [{ filterType: 'EQUALS', ...value }],
})
const ACTIVE = equal('status', { valueString: 'ACTIVE' })

interface ChoiceProps {
  readonly choice: readonly Answer[]
  readonly chosen: string
  readonly disabled?: boolean
  readonly choose: (offchainId: string) => void
}

export function FeePayerChoice({ choice, chosen, disabled = false, choose }: ChoiceProps): VNode {
  return (
    <label class="choice">
      <span>Fee payer</span>
      <select value={chosen} disabled={disabled} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">The service chooses, if one is needed</option>
        {choice.map((account) => (
          <option key={textAt(account, 'offchain.id')} value={textAt(account, 'offchain.id') ?? ''}>
            {described(account)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** By name and whole address, because names may be alike. */
function described(account: Answer): string {
  const name = textAt(account, 'offchain.name') ?? textAt(account, 'offchain.code')
  const address = textAt(account, 'onchain.id') ?? ''
  const elsewhere = at(account, 'managed') === false ? ' (signed for elsewhere)' : ''
  return visible(`${name === null ? address : `${name}, ${address}`}${elsewhere}`)
}
