// What is refused of any request.

export const platformRefusals = [
  "{n} event streams are already open, the maximum per user, key or account; close one; wait {seconds} seconds",
  "too many large responses are being read at once; wait {seconds} seconds",
  "the service is busy receiving {n} bytes of bodies; wait {seconds} seconds and send this one again",
  "this address is sending more than {n} bodies, or {bytes} bytes, at the same time; wait {seconds} seconds and send fewer at a time",
  "cursor is not valid; start again without a cursor",
  "the body is larger than {n} bytes, the maximum for this request; send less at a time",
  "the body was interrupted; send the request again",
  "the request comes from a page of another site; open {url} instead",
  "{member} is {time}; give a time between 1970 and 9999",
  '{member} is "{time}"; give RFC 3339 with an offset, for example 2026-07-01T18:00:00Z',
  "this Idempotency-Key was used for another request to this address in the last 24 hours; use a new key for each request",
  "an earlier request with this Idempotency-Key is unfinished or was interrupted, and may have taken effect; check before you send it again with a new key",
  "an earlier request with this Idempotency-Key is still being processed; wait {seconds} seconds",
  "{n} test requests are still waiting for their answers; wait {seconds} seconds",
  "internal error; no partial change was made, so the request may be sent again. Reference {reference}",
] as const;
