// All routes of the service, in the order of the documentation.
import { ACCOUNT_ROUTES } from './routes/accounts.ts'
import { APPROVAL_ROUTES } from './routes/approvals.ts'
import { BATCH_ROUTES } from './routes/batches.ts'
import { COUNTERPARTY_ROUTES } from './routes/counterparties.ts'
import { DISTRIBUTION_ROUTES } from './routes/distributions.ts'
import { INSTRUMENT_ROUTES } from './routes/instruments.ts'
import { LOAN_ROUTES } from './routes/loans.ts'
import { LOOKUP_TABLE_ROUTES } from './routes/lookup-tables.ts'
import { MARKET_DATA_ROUTES } from './routes/market-data.ts'
import { NONCE_ROUTES } from './routes/nonces.ts'
import { OPERATOR_ROUTES } from './routes/operator.ts'
import { PAYMENT_REQUEST_ROUTES } from './routes/payment-requests.ts'
import { POSITION_ROUTES } from './routes/positions.ts'
import { SCHEDULE_ROUTES } from './routes/schedules.ts'
import { STATEMENT_ROUTES } from './routes/statements.ts'
import { TRANSACTION_ROUTES } from './routes/transactions.ts'
import type { Route } from './route.ts'

export const routes: readonly Route[] = [
  ...ACCOUNT_ROUTES,
  ...INSTRUMENT_ROUTES,
  ...POSITION_ROUTES,
  ...BATCH_ROUTES,
  ...DISTRIBUTION_ROUTES,
  ...APPROVAL_ROUTES,
  ...SCHEDULE_ROUTES,
  ...COUNTERPARTY_ROUTES,
  ...PAYMENT_REQUEST_ROUTES,
  ...LOAN_ROUTES,
  ...LOOKUP_TABLE_ROUTES,
  ...NONCE_ROUTES,
  ...MARKET_DATA_ROUTES,
  ...TRANSACTION_ROUTES,
  ...STATEMENT_ROUTES,
  ...OPERATOR_ROUTES,
]
