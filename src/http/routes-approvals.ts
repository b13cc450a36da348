// The endpoints of approval policies: a page of routes.ts. Keys of earlier releases lack the role for policies, so
// administrators may write them too.
import { APPROVAL_POLICIES } from '../operations/views/bulk/approval-policies.ts'
import { createPolicy } from '../operations/approval-policies/create.ts'
import { fetchPolicies, policyDetails } from '../operations/approval-policies/read.ts'
import { group, read, write, type Route } from './route.ts'
import * as answers from './schemas/answers.ts'
import * as policies from './schemas/approval-policy.ts'
import { bulkBody } from './schemas/bulk.ts'
import { itemBody } from './schemas/chain-config.ts'

export const APPROVAL_ROUTES: readonly Route[] = group({
  tag: 'Approval policies', path: '/api/v1/approval-policies', reads: ['TRANSACTIONS_READ'], writes: ['APPROVAL_POLICIES_WRITE', 'TENANT_ADMIN'],
}, [
  write({
    method: 'POST', path: '', summary: 'Create an approval policy', schema: itemBody(policies.newPolicy), operation: createPolicy,
    status: 201, transaction: 'never', answer: policies.createdPolicy,
  }),
  read({
    path: '/single', summary: 'Fetch an approval policy', schema: itemBody(policies.policyReference), operation: policyDetails,
    answer: policies.approvalPolicy,
  }),
  read({
    path: '/bulk', summary: 'Fetch approval policies', schema: bulkBody(APPROVAL_POLICIES), operation: fetchPolicies,
    answer: answers.page(policies.approvalPolicy),
  }),
])
