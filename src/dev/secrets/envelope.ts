import { type Answer, jsonAnswer, textAnswer } from '../http/service.ts';
import type { CoreResponse } from './backend.ts';
import type { Refusal } from './engine.ts';

const noStore = { 'Cache-Control': 'no-store' };

/** A body without the JSON response format. */
export function bare(status: number, value: unknown): Answer {
  return jsonAnswer(status, value, { headers: noStore });
}

export function refusalAnswer(refusal: Pick<Refusal, 'status' | 'errors'>): Answer {
  return bare(refusal.status, { errors: refusal.errors });
}

/** The JSON format of a response ("secret structure"): always with every field; no response is 204. */
export function envelope(response: CoreResponse | undefined, requestId: string, mountType: string): Answer {
  if (response === undefined) return { status: 204, headers: noStore };
  const { status, text, data, lease, leaseId, duration, warnings, auth } = response;
  if (text) {
    return textAnswer(200, text.body, { headers: { ...noStore, 'Content-Type': text.contentType } });
  }
  return bare(status ?? 200, {
    ...(response.copied && data),
    request_id: requestId,
    lease_id: leaseId ?? '',
    renewable: false,
    lease_duration: lease?.duration ?? duration ?? 0,
    data: data ?? null,
    wrap_info: null,
    warnings: warnings && warnings.length > 0 ? warnings : null,
    auth: auth ?? null,
    mount_type: mountType,
  });
}
