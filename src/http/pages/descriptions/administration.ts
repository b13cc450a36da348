// Descriptions of organizations, API keys, freezes, audit rows, events and webhooks.
import type { Descriptions } from './describe.ts'

export const ADMINISTRATION: Descriptions = {
  externalId: 'External id of the organization, unique in the service.',
  'NewOrganization.name': 'Name of the organization.',
  'OrganizationChanges.name': 'New name of the organization.',
  'Organization.name': 'Name of the organization.',
  'NewOrganization.parentExternalId':
    'External id of the root organization that the new organization belongs to.' +
    ' Absent: a new tenant, which requires the role PLATFORM_ADMIN.',
  parentExternalId: 'External id of the root organization; null: the organization is a root.',
  'OrganizationChanges.allowedPrograms':
    'Addresses of further programs that transactions made elsewhere may call. The list replaces the present one;' +
    ' null: none.',
  'OrganizationChanges.acceptsSigningRequests':
    'True: other tenants may request signatures of the accounts of this organization without a grant. Default false,' +
    ' which null restores.',
  'Organization.status': 'ACTIVE, or FROZEN: no account of the organization signs.',
  suspendedOnClusters:
    'Ids of the clusters on which the submission lanes of the organization are suspended; of a root: of its tenant.',
  frozenByOperator: 'True if an administrator has frozen the account: nothing is signed with it; null: not visible.',
  laneSuspended: 'True if the submission lane of the account is suspended; null: not visible to the caller.',
  'Account.symbol': 'Symbol of the instrument, or of the instrument of the position; null: none.',
  'Position.symbol': 'Symbol of the instrument of the position; null: none.',
  switches: 'Freezes and suspensions in force that concern the key.',
  everythingFrozen: 'True if everything is frozen: no account of any tenant signs.',
  tenantFrozen: 'True if the root organization of the tenant is frozen: no account of the tenant signs.',
  organizationFrozen: 'True if the organization of the key is frozen.',
  suspendedClusters: 'Ids of the clusters on which all submission lanes are suspended.',
  tenantSuspendedOn: 'Ids of the clusters on which the submission lanes of the tenant are suspended.',
  organizationSuspendedOn: 'Ids of the clusters on which the submission lanes of the organization are suspended.',
  updatedOrganization: 'The changed organization.',

  keyId: 'Id of the API key: 12 base62 characters; of a token, `jwt:` and its subject.',
  organizationExternalId: 'External id of the organization.',
  'NewApiKey.organizationExternalId': 'External id of the organization of the key; at or below that of the caller.',
  'ApiKeyRecord.organizationExternalId': 'External id of the organization of the key.',
  'Identity.organizationExternalId': 'External id of the organization of the key.',
  'NewApiKey.name': 'Name of the key.',
  'ApiKeyRecord.name': 'Name of the key.',
  roles: 'Roles of the key.',
  'NewApiKey.roles':
    'Roles of the key, each of which the caller must have. Exactly one of `roles` and `bundle` is' + ' required.',
  bundle:
    'Named set of roles. OPERATOR: all reads, and all writes but ACCOUNT_POLICY_WRITE, APPROVAL_POLICIES_WRITE and' +
    ' COUNTERPARTIES_WRITE; VIEWER: all reads; ADMIN: every role but PLATFORM_ADMIN.' +
    ' Exactly one of `roles` and `bundle` is required.',
  'NewApiKey.expiresAt': 'Time at which the key expires, ISO 8601. Default: never.',
  'NewApiKey.clusters': 'Ids of the clusters that the key may use. Default: all that the caller may use.',
  'RotateApiKey.graceSeconds': 'Seconds during which the previous secret remains valid, at most 30 days. Default 0.',
  'DisableApiKey.graceSeconds': 'A disabled key is refused at once, so only 0 is accepted.',
  'RotateWebhook.graceSeconds': 'Seconds during which the previous secret also signs, at most 30 days.',
  disabled: 'True if disabled.',
  lastUsedAt: 'Time of the last request, ISO 8601 in UTC; null: none.',
  rotatedAt: 'Time of the last rotation, ISO 8601 in UTC; null: none.',
  previousSecretValidUntil: 'Time until which the previous secret remains valid, ISO 8601 in UTC; null: it is not.',
  approvalsSuspendedUntil:
    'Time until which approvals of the key do not count, because another key rotated it (24' +
    ' hours), ISO 8601 in UTC; null: they count.',

  'FreezeTarget.organizationExternalId': 'External id of the organization to freeze or unfreeze.',
  'FreezeTarget.account': 'The account to freeze or unfreeze.',
  'LaneTarget.organizationExternalId':
    'External id of the organization whose submission lanes are suspended or' +
    ' resumed; of a root: of the whole tenant.',
  'LaneTarget.account': 'Fee payer or nonce account whose submission lane is suspended or resumed.',
  frozen: 'What is frozen: an account, an organization, or everything.',
  unfrozen: 'What is no longer frozen: an account, an organization, or everything.',
  everything: 'True if the target is everything.',
  suspended: 'The submission lanes that are suspended.',
  resumed: 'The submission lanes that are resumed.',

  'AuditRow.at': 'Time of the row, ISO 8601 in UTC.',
  'AuditRow.keyId': 'Id of the API key that made the request, or `jwt:` and the subject of a token.',
  'AuditRow.outcome': 'DONE: the change was made; REFUSED: the key lacked the right.',
  resource: 'The record that the entry is about.',
  'resource.kind': 'Kind of the record: the first part of the event type, such as `account`.',
  'AuditRow.resource.kind': 'Kind of the record; null in the row of a refusal.',
  'AuditRow.resource.onchainId': 'Address or signature of the record; null: none.',
  'AuditRow.resource.offchainId':
    'Id of the record; of an API key its key id, of an organization its external id;' + ' null: none.',
  'resource.onchainId': 'Address of the record, or signature of the transaction; null: none, or not submitted yet.',
  requestId: 'Id of the request.',

  'Event.type': 'Type of the event: kind of record and what happened.',
  'DeliveredEvent.type': 'Type of the event: kind of record and what happened.',
  'Event.at': 'Time of the change, ISO 8601 in UTC.',
  'DeliveredEvent.at': 'Time of the change, ISO 8601 in UTC.',

  url:
    'Target of deliveries: an absolute https URL on port 443 of a public host, or a target that the service is' +
    ' set to allow.',
  eventTypes: 'Types of events to deliver: a type, or a prefix followed by `*`. Default: all.',
  'Webhook.status': 'ENABLED, or DISABLED: nothing is delivered.',
  disabledAt: 'Time at which the webhook was disabled, ISO 8601 in UTC; null: it is enabled.',
  disabledBecause:
    'REQUESTED: by request; GONE: the receiver answered 410; EXHAUSTED: all attempts failed; null: it' + ' is enabled.',
  lastDeliveredAt: 'Time of the last successful delivery, ISO 8601 in UTC; null: none.',
  waiting: 'Resources whose next event waits for another attempt.',
  resourceOffchainId: 'Id of the resource, a UUID.',
  'waiting.sequence': 'Sequence of the event that waits.',
  failures: 'Number of failed attempts of that event.',
  nextAttemptAt: 'Time of the next attempt, ISO 8601 in UTC.',
  'deliveries.eventId': 'Id of the event, a UUID.',
  'deliveries.sequence': 'Sequence of the event.',
  'deliveries.type': 'Type of the event.',
  'deliveries.attempt': 'Number of the attempt, from 1.',
  'deliveries.at': 'Time of the attempt, ISO 8601 in UTC.',
  httpStatus: 'HTTP status of the response; null: no response.',
  delivered: 'True if the receiver accepted the event.',
  'deliveries.errorMessage': 'Why the attempt failed; null: it did not.',
  'RedeliverWebhook.eventId': 'Id of the first event to deliver again (400 EVENT_NOT_FOUND). Excludes `sequence`.',
  'RedeliverWebhook.sequence':
    'Sequence of the first event to deliver again (400 NOT_DELIVERED_YET). Excludes' + ' `eventId`.',
  fromSequence: 'Sequence of the first event that is delivered again. Absent: waiting events are attempted at once.',
  newWebhook: 'Id of the created webhook.',
  rotatedWebhook: 'Id of the webhook whose secret was rotated.',
  disabledWebhook: 'Id of the disabled webhook.',
  redeliveredWebhook: 'Id of the webhook, and the start of the deliveries.',
}
