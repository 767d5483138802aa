import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AttemptPlaces, type PlaceLimits, placeLimits } from "../../../src/platform/outbound/attempt-places.js";

/** Like those of the service, but small. */
const small: PlaceLimits = { inFlight: 80, quick: 20 };

let rooms = 0;
let places: AttemptPlaces;

beforeEach(() => {
  vi.useFakeTimers();
  rooms = 0;
  places = new AttemptPlaces(() => (rooms += 1), small);
});
afterEach(() => void vi.useRealTimers());

const begin = (count: number, name = "wh"): Array<() => void> =>
  Array.from({ length: count }, (_, index) => places.take(`${name}_${index}`));

test("receivers that hang, more than half of all places, leave all quick places free once their moment is over", () => {
  for (let begun = 0; begun < 60; begun += 10) {
    begin(10, `hanging_${begun}`);
    vi.advanceTimersByTime(300);
  }
  expect(places.room).toBe(20);
  expect([places.isCrowded, places.barsHung]).toEqual([true, true]);
  // 5,000 that hang leave the reserve of the others untouched.
  expect(placeLimits).toEqual({ inFlight: 8192, quick: 2048 });
});

test("as many attempts as there are quick places leave none, until the first ends or hangs", () => {
  const [end] = begin(20);
  expect([places.room, rooms]).toEqual([0, 0]);
  end?.();
  expect([places.room, rooms]).toEqual([1, 1]);
  places.take("wh_next");
  vi.advanceTimersByTime(300);
  expect([places.room, rooms]).toEqual([20, 2]);
});

test("receivers that hang are barred from the last quarter of the places, until they answer quickly", () => {
  const ends = begin(59, "hung");
  expect(places.hung).toEqual([]);
  vi.advanceTimersByTime(2000);
  expect([places.hung.length, places.barsHung]).toEqual([59, false]);
  begin(1, "live");
  expect(places.barsHung).toBe(true);
  ends[0]?.();
  expect([places.hung.includes("hung_0"), places.barsHung]).toEqual([true, false]);
  const [again] = begin(1, "hung");
  again?.();
  expect([places.hung.includes("hung_0"), places.hung.length]).toEqual([false, 58]);
});

test("there are never more in flight than places, whoever hangs", () => {
  begin(80);
  vi.advanceTimersByTime(300);
  expect(places.room).toBe(0);
});
