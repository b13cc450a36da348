// The requests that approval policies can hold back, by endpoint: an approved change runs the same operation again.
import { createApiKey } from '../admin/create-api-key.ts'
import { rotateApiKey } from '../admin/rotate-api-key.ts'
import { updateOrganization } from '../admin/update-organization.ts'
import { updateAccount } from '../accounts/update.ts'
import { changePolicy } from '../approval-policies/change.ts'
import { createPolicy } from '../approval-policies/create.ts'
import { createCounterparty } from '../counterparties/create.ts'
import { updateCounterparty } from '../counterparties/update.ts'
import type { Write } from '../context/platform.ts'
import { updateInstrument } from '../instruments/update.ts'
import { createStrategy } from '../loans/create-strategy.ts'
import { updateStrategy } from '../loans/update-strategy.ts'
import { updatePosition } from '../positions/update.ts'

export const COVERED_REQUESTS: Readonly<Record<string, Write<never>>> = {
  'PATCH /api/v1/accounts': updateAccount,
  'PATCH /api/v1/positions': updatePosition,
  'PATCH /api/v1/financial-instruments': updateInstrument,
  'PATCH /api/v1/admin/organizations': updateOrganization,
  'POST /api/v1/admin/api-keys': createApiKey,
  'PATCH /api/v1/admin/api-keys/rotate': rotateApiKey,
  'POST /api/v1/counterparties': createCounterparty,
  'PATCH /api/v1/counterparties': updateCounterparty,
  'POST /api/v1/loans/strategies': createStrategy,
  'PATCH /api/v1/loans/strategies': updateStrategy,
  'POST /api/v1/approval-policies': createPolicy,
  'PATCH /api/v1/approval-policies': changePolicy,
}
