// Validated request bodies of the webhook endpoints.

export interface NewWebhookInput {
  readonly url: string
  /** Absent: all. */
  readonly eventTypes?: readonly string[] | undefined
}

export interface WebhookInput {
  readonly offchainId: string
}

export interface RotateWebhookInput extends WebhookInput {
  readonly graceSeconds?: number | undefined
}

/** At most one of the two members names the first event to deliver. */
export interface RedeliverWebhookInput extends WebhookInput {
  readonly eventId?: string | undefined
  readonly sequence?: number | undefined
}
