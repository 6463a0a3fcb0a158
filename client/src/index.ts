/* What the package exports. */
export {
  createPayoutClient,
  type Answer,
  type CallOptions,
  type ClientOptions,
  type Input,
  type Item,
  type PagedName,
  type PayoutClient,
} from './client.ts';
export {
  ApiError,
  ConnectionError,
  isApiError,
  type AnyErrorCode,
  type ErrorCode,
  type FieldError,
} from './errors.ts';
export { apiVersion, type Operations } from './generated/operations.gen.ts';
export type * from './generated/types.gen.ts';
export { newKey } from './key.ts';
export {
  verifyWebhook,
  WebhookError,
  type WebhookDelivery,
  type WebhookEvent,
} from './webhooks.ts';
