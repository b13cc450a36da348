// The state of a loan: its health between the liquidation threshold and no debt, the terms of each debt, and the future
// interest.
import type { VNode } from 'preact'
import type { Answer } from '../api.ts'
import { percent as percentOf } from '../cell.tsx'
import { debtName, Interest } from './interest.tsx'
import { Text } from '../text.tsx'
import { at, listAt } from '../value.ts'

/** Hundred percent, in hundredths of a basis point. */
const WHOLE = 1_000_000

export function LoanFigures({ id, item }: { id: string; item: Answer }): VNode {
  return (
    <>
      <Health item={item} />
      {listAt(item, 'borrowedItems').length > 0 && item['status'] === 'OPEN' && <Interest id={id} item={item} />}
    </>
  )
}

function Health({ item }: { item: Answer }): VNode {
  const health = at(item, 'health')
  const ltv = at(item, 'currentLoanToValue')
  const debts = listAt(item, 'borrowedItems')
  return (
    <section aria-labelledby="health-title" class="card">
      <h2 id="health-title">Health</h2>
      {typeof health !== 'number' ? (
        <p class="quiet">Unknown: a price is missing, or the collateral is worth next to nothing.</p>
      ) : (
        <>
          <p class="figure">
            {percent(health)} <span class="quiet">healthy</span>
          </p>
          <meter
            min={0}
            max={WHOLE}
            low={250_000}
            high={500_000}
            optimum={WHOLE}
            value={health}
            aria-labelledby="health-title"
          >
            {percent(health)}
          </meter>
        </>
      )}
      <dl class="pairs">
        <div>
          <dt>Loan to value now</dt>
          <dd>{typeof ltv === 'number' ? percent(ltv) : '–'}</dd>
        </div>
      </dl>
      {debts.map((debt, index) => (
        <Terms key={index} debt={debt} isOneOfSeveral={debts.length > 1} />
      ))}
    </section>
  )
}

function Terms({ debt, isOneOfSeveral }: { debt: unknown; isOneOfSeveral: boolean }): VNode {
  const terms = [
    ['It may be borrowed up to', at(debt, 'loanToValueRatio')],
    ['It becomes liquidatable at', at(debt, 'liquidationRatio')],
    ['Rate of interest a year', at(debt, 'apy')],
  ] as const
  return (
    <>
      {isOneOfSeveral && (
        <h3>
          <Text>{debtName(debt)}</Text>
        </h3>
      )}
      <dl class="pairs">
        {terms.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{typeof value === 'number' ? percent(value) : '–'}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const percent = (parts: number): string => percentOf(String(Math.trunc(parts)))
