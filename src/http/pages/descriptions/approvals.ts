// Descriptions of approval policies.
import type { Descriptions } from './describe.ts'

export const APPROVALS: Descriptions = {
  operations:
    'Operations that need approvals. MINT, BURN, AUTHORITY_CHANGE, PAUSE and CLOSE are recognised by the' +
    ' instructions of the transaction, whichever request makes it.',
  'NewApprovalPolicy.financialInstrument':
    'Only operations on this instrument. Default: every instrument. Not possible' +
    ' with operations that make no transaction.',
  'ApprovalPolicy.financialInstrument': 'Only operations on this instrument; null: every instrument.',
  above: 'Only greater amounts of one transaction, in display units. Possible with MINT and BURN only.',
  approvers: 'Ids of API keys of the tenant with the role DEBIT_LIMIT_APPROVE, or `jwt:` and the subject of a token.',
  'NewApprovalPolicy.requiredApproversCount':
    'Number of distinct persons among the approvers who must approve. A' +
    ' requester does not count; a subject and the keys that it made are one person.',
  'ApprovalPolicy.requiredApproversCount': 'Number of distinct persons among the approvers who must approve.',
  newApprovalPolicy: 'Id of the created policy.',
  'ApprovalPolicy.status': 'ACTIVE, or REMOVED: it covers nothing, permanently.',
  release: 'The release that the operator of the service has announced; null: none.',
  'release.requestedBy': 'Id of the key that announced the release.',
  'release.reason': 'Reason of the release.',
  'release.requestedAt': 'Time of the announcement, ISO 8601 in UTC.',
  'release.effectiveAt': 'Time from which the policy covers nothing, unless it is kept before, ISO 8601 in UTC.',
  approversNamedAt:
    'Time at which the approvers were last named, ISO 8601 in UTC. A key that another key rotated since' +
    ' does not count.',
  'ApprovalPolicy.createdBy': 'Id of the key that created the policy.',
  removed: 'Removes the policy permanently.',
  'ApprovalPolicyChanges.approvalPolicy': 'The policy to change, unless `offchainId` is given.',
  'ApprovalPolicyChanges.offchainId': 'Id of the policy to change, unless `approvalPolicy` is given.',
  'ApprovalPolicyChanges.financialInstrument': 'Only operations on this instrument; null: every instrument.',
  'ApprovalPolicyChanges.requiredApproversCount': 'Number of distinct persons among the approvers who must approve.',
  'ApprovalPolicyRelease.reason': 'Reason of the release; the tenant reads it.',
  updatedApprovalPolicy: 'Id of the changed policy.',
  pendingChange: 'The request, which waits for approvals, or has ended.',
  'PendingChange.status': 'PENDING: it waits for approvals; APPLIED: it was approved and made; REJECTED; EXPIRED.',
  'PendingChange.operation': 'Operation that approval policies cover.',
  'PendingChange.endpoint': 'Method and path of the request.',
  'PendingChange.itemData': 'The `itemData` of the request, after validation.',
  'PendingChange.requestedBy': 'Id of the key that made the request.',
  'PendingChange.approvers': 'Ids of the keys and subjects that may approve it.',
  'PendingChange.approval': 'The policies that cover it, and the approvals given.',
  'PendingChange.approval.expiresAt': 'Time at which it expires without approval, ISO 8601 in UTC.',
  'PendingChange.result': 'Members of the answer of the applied change; null: not applied.',
  'PendingChangeRejection.reason': 'Reason of the rejection.',
  rejectedBy: 'Id of the key that rejected or withdrew it; null: nobody.',
  rejectedBecause: 'Reason of the rejection; null: none.',
  'CoveringPolicy.approvalPolicy': 'The policy.',
  'CoveringPolicy.operations': 'Operations that the policy covers in this case.',
  'CoveringPolicy.target': 'Id of the record that the request changes. Absent: it changes none.',
  covered: 'The operations of the transaction, with instrument and amount.',
  'covered.operation': 'The operation.',
  'covered.financialInstrument': 'The instrument.',
  'covered.amount': 'Amount of all instructions together, in display units.',
}
