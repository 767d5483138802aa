import { wireDispatch, wireSite } from "@curtail/testing/wire-forms";

/** A dispatch of one site at 18:00 to 20:00 of the day of these tests. */
export const dispatch = (id: string, changes: Parameters<typeof wireDispatch>[1] = {}) =>
  wireDispatch(id, {
    sites: [wireSite("a", { name: "Mill", customer_location_id: "7", commitment: 40 })],
    ...changes,
  });

/** Milliseconds of Unix time on that day. */
export const at = (time: string): number => Date.parse(`2026-07-01T${time}Z`);
