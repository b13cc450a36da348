// What the operations of webhooks take, after validation.

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

/** At most one of the two names the event to begin with. */
export interface RedeliverWebhookInput extends WebhookInput {
  readonly eventId?: string | undefined
  readonly sequence?: number | undefined
}
