// The endpoints of approval policies and pending changes: a page of routes.ts. Keys of earlier releases lack the role
// for policies, so administrators may write them too.
import { APPROVAL_POLICIES } from '../../operations/views/bulk/approval-policies.ts'
import { changePolicy, keepPolicy, releasePolicy } from '../../operations/approval-policies/change.ts'
import { createPolicy } from '../../operations/approval-policies/create.ts'
import { fetchPolicies, policyDetails } from '../../operations/approval-policies/read.ts'
import { approveChange } from '../../operations/pending-changes/approve.ts'
import { fetchPendingChanges, pendingChangeDetails } from '../../operations/pending-changes/read.ts'
import { rejectChange } from '../../operations/pending-changes/reject.ts'
import { PENDING_CHANGES } from '../../operations/views/bulk/pending-changes.ts'
import { group, read, write, type Route } from '../route.ts'
import * as answers from '../../contract/schemas/answers.ts'
import * as policies from '../../contract/schemas/approval-policy.ts'
import { bulkBody } from '../../contract/values/bulk.ts'
import { itemBody } from '../../contract/values/chain-config.ts'
import * as changes from '../../contract/schemas/pending-change.ts'

const POLICY_ROUTES: readonly Route[] = group(
  {
    tag: 'Approval policies',
    path: '/api/v1/approval-policies',
    alsoBare: true,
    reads: ['TRANSACTIONS_READ'],
    writes: ['APPROVAL_POLICIES_WRITE', 'TENANT_ADMIN'],
  },
  [
    write({
      method: 'POST',
      path: '',
      summary: 'Create an approval policy',
      schema: itemBody(policies.newPolicy),
      operation: createPolicy,
      status: 201,
      transaction: 'never',
      answer: policies.createdPolicy,
    }),
    write({
      method: 'PATCH',
      path: '',
      summary: 'Change or remove an approval policy',
      schema: itemBody(policies.policyChanges),
      operation: changePolicy,
      status: 200,
      transaction: 'never',
      answer: policies.updatedPolicy,
    }),
    write({
      method: 'PATCH',
      path: '/release',
      summary: 'Announce the release of an approval policy whose approvers are lost',
      schema: itemBody(policies.policyRelease),
      operation: releasePolicy,
      status: 200,
      transaction: 'never',
      roles: ['PLATFORM_ADMIN'],
      answer: policies.updatedPolicy,
    }),
    write({
      method: 'PATCH',
      path: '/keep',
      summary: 'Revoke the release of an approval policy',
      schema: itemBody(policies.policyReference),
      operation: keepPolicy,
      status: 200,
      transaction: 'never',
      roles: ['APPROVAL_POLICIES_WRITE', 'TENANT_ADMIN', 'DEBIT_LIMIT_APPROVE'],
      answer: policies.updatedPolicy,
    }),
    read({
      path: '/single',
      summary: 'Fetch an approval policy',
      schema: itemBody(policies.policyReference),
      operation: policyDetails,
      answer: policies.approvalPolicy,
    }),
    read({
      path: '/bulk',
      summary: 'Fetch approval policies',
      schema: bulkBody(APPROVAL_POLICIES),
      operation: fetchPolicies,
      answer: answers.page(policies.approvalPolicy),
    }),
  ],
)

const CHANGE_ROUTES: readonly Route[] = group(
  {
    tag: 'Pending changes',
    path: '/api/v1/pending-changes',
    alsoBare: true,
    reads: ['TRANSACTIONS_READ', 'DEBIT_LIMIT_APPROVE'],
    writes: ['DEBIT_LIMIT_APPROVE'],
  },
  [
    write({
      method: 'POST',
      path: '/approve',
      summary: 'Approve a pending change',
      schema: itemBody(changes.changeReference),
      operation: approveChange,
      status: 200,
      transaction: 'never',
      answer: changes.heldBack,
    }),
    write({
      method: 'POST',
      path: '/reject',
      summary: 'Reject or withdraw a pending change',
      schema: itemBody(changes.changeRejection),
      operation: rejectChange,
      status: 200,
      transaction: 'never',
      answer: changes.heldBack,
      roles: [
        'DEBIT_LIMIT_APPROVE',
        'APPROVAL_POLICIES_WRITE',
        'ACCOUNT_POLICY_WRITE',
        'TENANT_ADMIN',
        'LOANS_WRITE',
        'COUNTERPARTIES_WRITE',
      ],
    }),
    read({
      path: '/single',
      summary: 'Fetch a pending change',
      schema: itemBody(changes.changeReference),
      operation: pendingChangeDetails,
      answer: changes.pendingChange,
    }),
    read({
      path: '/bulk',
      summary: 'Fetch pending changes',
      schema: bulkBody(PENDING_CHANGES),
      operation: fetchPendingChanges,
      answer: answers.page(changes.pendingChange),
    }),
  ],
)

export const APPROVAL_ROUTES: readonly Route[] = [...POLICY_ROUTES, ...CHANGE_ROUTES]
