// The transactions that name a record's account, newest first: the list of transactions with a filter.
import type { VNode } from 'preact'
import { bulk } from '../api.ts'
import { Rows } from '../pages/list-page.tsx'
import { addressOf } from '../pages/list-query.ts'
import { Loading, useLoaded } from '../loading.tsx'
import { resourceNamed } from '../resources.ts'
import { may } from '../session.ts'
import { grouped } from '../text.tsx'

const SHOWN = 10
const PLAIN = { conditions: [], sort: null, page: 1, size: 50 } as const

export function Movements({ offchainId, round }: { offchainId: string; round: number }): VNode | null {
  const transactions = resourceNamed('transactions')!
  const allowed = may(...transactions.roles)
  const page = useLoaded(allowed ? `${offchainId} ${round}` : null, async (signal) => {
    const filter = [
      { fieldName: 'accountOffchainId', filterValues: [{ filterType: 'EQUALS', valueString: offchainId }] },
    ]
    return await bulk(transactions.path, { filter, limit: SHOWN }, signal)
  })
  if (!allowed) return null
  const all = addressOf(
    { parts: ['transactions'], query: new URLSearchParams() },
    { ...PLAIN, conditions: [{ field: 'accountOffchainId', filterType: 'EQUALS', value: offchainId, to: '' }] },
  )
  return (
    <section aria-labelledby="movements-title">
      <h2 id="movements-title">Transactions</h2>
      <Loading of={page}>
        {page.value !== null && (
          <>
            <Rows resource={transactions} page={page.value} query={PLAIN} />
            {page.value.count > SHOWN && (
              <p>
                <a href={all}>All {grouped(String(page.value.count))} of them</a>
              </p>
            )}
          </>
        )}
      </Loading>
    </section>
  )
}
