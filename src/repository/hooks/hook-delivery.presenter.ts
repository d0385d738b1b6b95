import { field, presenter, presentOptionalTime, presentTime } from '#libs/presenting';
import type { HookDelivery } from './hook-delivery.entity';
import { HOOK_KINDS } from './hook-kinds';

const Headers = field.record(field.string(), field.string());

const DeliveryRecord = field.object({
  id: field.int(),
  url: field.string().nullable(),
  trigger: field.string(),
  request_headers: Headers.nullable(),
  request_data: field.unknown(),
  response_headers: Headers.nullable(),
  response_body: field.string().nullable(),
  response_status: field.int().nullable(),
  execution_duration: field.number().nullable(),
  internal_error_message: field.string().nullable(),
  attempts: field.int(),
  finished_at: field.string().nullable(),
  created_at: field.string(),
});

export const presentDelivery = presenter(DeliveryRecord, (delivery: HookDelivery) => ({
  id: delivery.id,
  url: delivery.url,
  trigger: HOOK_KINDS[delivery.kind].trigger,
  request_headers: delivery.requestHeaders,
  request_data: delivery.requestBody === '' ? null : parsed(delivery.requestBody),
  response_headers: delivery.responseHeaders,
  response_body: delivery.responseBody,
  response_status: delivery.responseStatus,
  execution_duration: delivery.durationMs === null ? null : delivery.durationMs / 1000,
  internal_error_message: delivery.error,
  attempts: delivery.attempts,
  finished_at: presentOptionalTime(delivery.finishedAt),
  created_at: presentTime(delivery.createdAt),
}));

const parsed = (json: string): unknown => JSON.parse(json);
