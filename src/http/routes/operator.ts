// Routes for operators: webhooks, the audit log, organizations, API keys, freezes and lanes; part of routes.ts.
import { AUDIT, fetchAudit } from '../../operations/admin/fetch-audit.ts'
import { createApiKey } from '../../operations/admin/create-api-key.ts'
import { createOrganization } from '../../operations/admin/create-organization.ts'
import { createWebhook } from '../../operations/webhooks/create.ts'
import { disableApiKey } from '../../operations/admin/disable-api-key.ts'
import { disableWebhook } from '../../operations/webhooks/disable.ts'
import { freeze } from '../../operations/admin/freeze.ts'
import { redeliverWebhook } from '../../operations/webhooks/redeliver.ts'
import { resumeLanes } from '../../operations/admin/resume-lanes.ts'
import { rotateApiKey } from '../../operations/admin/rotate-api-key.ts'
import { rotateWebhook } from '../../operations/webhooks/rotate.ts'
import { API_KEYS, ORGANIZATIONS } from '../../operations/views/bulk/resources.ts'
import { WEBHOOKS } from '../../operations/views/bulk/webhooks.ts'
import { fetchWebhooks, listApiKeys, listOrganizations } from '../../operations/views/fetch-bulk.ts'
import { suspendLanes } from '../../operations/admin/suspend-lanes.ts'
import { unfreeze } from '../../operations/admin/unfreeze.ts'
import { updateOrganization } from '../../operations/admin/update-organization.ts'
import { group, read, write, type Roles, type Route } from '../route.ts'
import * as admin from '../../contract/schemas/admin.ts'
import * as answers from '../../contract/schemas/answers.ts'
import { organization } from '../../contract/schemas/counterparty.ts'
import { bulkBody } from '../../contract/values/bulk.ts'
import { itemBody } from '../../contract/values/chain-config.ts'
import * as webhooks from '../../contract/schemas/webhook.ts'

const ADMINS: Roles = ['PLATFORM_ADMIN', 'TENANT_ADMIN']

export const OPERATOR_ROUTES: readonly Route[] = [
  ...group({ tag: 'Webhooks', path: '/api/v1/webhooks', reads: ['EVENTS_READ'], writes: ['EVENTS_WRITE'] }, [
    write({
      method: 'POST',
      path: '',
      summary: 'Create a webhook',
      schema: itemBody(webhooks.newWebhook),
      operation: createWebhook,
      status: 201,
      transaction: 'never',
      answer: webhooks.createdWebhook,
    }),
    read({
      path: '/bulk',
      summary: 'Fetch webhooks',
      schema: bulkBody(WEBHOOKS),
      operation: fetchWebhooks,
      answer: answers.page(webhooks.record),
    }),
    write({
      method: 'PATCH',
      path: '/rotate',
      summary: 'Rotate the secret of a webhook',
      schema: itemBody(webhooks.rotateWebhook),
      operation: rotateWebhook,
      status: 200,
      transaction: 'never',
      answer: webhooks.rotated,
    }),
    write({
      method: 'PATCH',
      path: '/disable',
      summary: 'Disable a webhook',
      schema: itemBody(webhooks.disableWebhook),
      operation: disableWebhook,
      status: 200,
      transaction: 'never',
      answer: webhooks.disabled,
    }),
    write({
      method: 'PATCH',
      path: '/redeliver',
      summary: 'Redeliver events, and re-enable a disabled webhook',
      schema: itemBody(webhooks.redeliverWebhook),
      operation: redeliverWebhook,
      status: 200,
      transaction: 'never',
      answer: webhooks.redelivered,
    }),
  ]),

  ...group({ tag: 'Audit', path: '/api/v1/audit', reads: ['AUDIT_READ'], writes: ['AUDIT_READ'] }, [
    read({
      path: '/bulk',
      summary: 'Fetch rows of the audit log',
      schema: bulkBody(AUDIT),
      operation: fetchAudit,
      answer: answers.page(answers.auditRow),
    }),
  ]),

  ...group({ tag: 'Administration', path: '/api/v1/admin', reads: ADMINS, writes: ADMINS }, [
    write({
      method: 'POST',
      path: '/organizations',
      summary: 'Create an organization',
      schema: itemBody(admin.newOrganization),
      operation: createOrganization,
      status: 201,
      transaction: 'never',
      answer: organization,
    }),
    write({
      method: 'PATCH',
      path: '/organizations',
      summary: 'Update an organization',
      schema: itemBody(admin.organizationChanges),
      operation: updateOrganization,
      status: 200,
      transaction: 'never',
      answer: answers.updatedOrganization,
    }),
    read({
      path: '/organizations/bulk',
      summary: 'List organizations',
      schema: bulkBody(ORGANIZATIONS),
      operation: listOrganizations,
      answer: answers.page(organization),
    }),
    write({
      method: 'POST',
      path: '/api-keys',
      summary: 'Create an API key',
      schema: itemBody(admin.newApiKey),
      operation: createApiKey,
      status: 201,
      transaction: 'never',
      answer: answers.apiKey,
    }),
    read({
      path: '/api-keys/bulk',
      summary: 'List API keys',
      schema: bulkBody(API_KEYS),
      operation: listApiKeys,
      answer: answers.page(answers.apiKeyRecord),
    }),
    write({
      method: 'PATCH',
      path: '/api-keys/rotate',
      summary: 'Rotate an API key',
      schema: itemBody(admin.rotateApiKey),
      operation: rotateApiKey,
      status: 200,
      transaction: 'never',
      answer: answers.apiKey,
    }),
    write({
      method: 'PATCH',
      path: '/api-keys/disable',
      summary: 'Disable an API key',
      schema: itemBody(admin.disableApiKey),
      operation: disableApiKey,
      status: 200,
      transaction: 'never',
      answer: answers.disabledKey,
    }),
    write({
      method: 'PATCH',
      path: '/freeze',
      summary: 'Freeze an account, an organization or everything',
      schema: itemBody(admin.freezeTarget),
      operation: freeze,
      status: 200,
      transaction: 'never',
      answer: answers.frozen,
    }),
    write({
      method: 'PATCH',
      path: '/unfreeze',
      summary: 'Unfreeze an account, an organization or everything',
      schema: itemBody(admin.freezeTarget),
      operation: unfreeze,
      status: 200,
      transaction: 'never',
      answer: answers.unfrozen,
    }),
    write({
      method: 'PATCH',
      path: '/lanes/suspend',
      summary: 'Suspend sending for a cluster, an organization or a lane',
      schema: itemBody(admin.laneTarget),
      operation: suspendLanes,
      status: 200,
      transaction: 'never',
      answer: answers.suspended,
    }),
    write({
      method: 'PATCH',
      path: '/lanes/resume',
      summary: 'Resume sending for a cluster, an organization or a lane',
      schema: itemBody(admin.laneTarget),
      operation: resumeLanes,
      status: 200,
      transaction: 'never',
      answer: answers.resumed,
    }),
  ]),
]
