/** What a refusal says about single readings. */
export interface Refusal {
  /** Why, by the index in the request, without their place in it. Up to 20 are named (G6). */
  readonly reasons: ReadonlyMap<number, string>;
  /** Whether there are faults that the message does not name. */
  readonly hasMore: boolean;
}

/** The fault is that of the meter or site, so that every reading of it has it. */
const OF_SOURCE = /^(meter_id|site_id) names /;
const HAS_MORE = /; and (?:at least )?\d+ more|…$/;
/** Place of a reading in the request. */
const PLACE = /^\w+\[\d+\][. ]?/;
const ENDING = /(?:; and (?:at least )?\d+ more)?(?:\. Nothing was stored.*)?$/;

/**
 * Reads the refusal of an upload: `telemetry[3].interval_seconds is 45; it must be divisible by 30; telemetry[4]…`.
 *
 * @param list name of the list of readings in the body
 */
export const refusalOf = (message: string, list: "telemetry" | "controllable_load"): Refusal => {
  const places = [...message.matchAll(new RegExp(`(?:^|; )(${list}\\[(\\d+)\\])`, "g"))];
  const reasons = new Map<number, string>();
  for (const [number, { index, 0: start, 1: place = "", 2: at }] of places.entries()) {
    const from = index + start.length - place.length;
    const reason = reasonOf(message.slice(from, places[number + 1]?.index));
    const before = reasons.get(Number(at));
    reasons.set(Number(at), before === undefined ? reason : `${before}; ${reason}`);
  }
  return { reasons, hasMore: HAS_MORE.test(message) };
};

/** What a message says of one reading: the caller knows which one it is. */
export const reasonOf = (message: string): string => message.replace(PLACE, "").replace(ENDING, "");

/**
 * The readings of a refused request that must not be sent again, with the reason. An unknown meter or site is named
 * once; all of its readings are refused for it.
 *
 * @returns by index in the request
 */
export const refusedReadings = (readings: readonly object[], { reasons }: Refusal): ReadonlyMap<number, string> => {
  const refused = new Map([...reasons].filter(([index]) => index < readings.length));
  for (const [index, reason] of reasons) {
    const member = OF_SOURCE.exec(reason)?.[1];
    const named = member === undefined ? undefined : memberOf(readings[index], member);
    if (member === undefined || named === undefined) continue;
    for (const [other, reading] of readings.entries())
      if (!refused.has(other) && memberOf(reading, member) === named) refused.set(other, reason);
  }
  return refused;
};

const memberOf = (reading: object | undefined, member: string): unknown =>
  (reading as Readonly<Record<string, unknown>> | undefined)?.[member];
