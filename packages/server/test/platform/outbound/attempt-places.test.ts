import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AttemptPlaces, type PlaceLimits, placeLimits } from "../../../src/platform/outbound/attempt-places.js";

/** Like those of the service, but small. */
const small: PlaceLimits = { inFlight: 80, quick: 20, waiting: 1000, fresh: 1000 };

let rooms = 0;
let freshRooms = 0;
let places: AttemptPlaces;

const placesWith = (limits: PlaceLimits): AttemptPlaces =>
  new AttemptPlaces(
    () => (rooms += 1),
    () => (freshRooms += 1),
    limits,
  );

beforeEach(() => {
  vi.useFakeTimers();
  [rooms, freshRooms] = [0, 0];
  places = placesWith(small);
});
afterEach(() => void vi.useRealTimers());

const begin = (count: number, name = "wh"): Array<() => void> =>
  Array.from({ length: count }, (_, index) => {
    const place = places.take(`${name}_${index}`);
    place.begin();
    return () => place.leave(true);
  });

test("receivers that hang, more than half of all places, leave all quick places free once their moment is over", () => {
  for (let begun = 0; begun < 60; begun += 10) {
    begin(10, `hanging_${begun}`);
    vi.advanceTimersByTime(300);
  }
  expect(places.room).toBe(20);
  expect([places.isCrowded, places.barsHung]).toEqual([true, true]);
  // 5,000 that hang leave the reserve of the others untouched.
  expect(placeLimits).toEqual({ inFlight: 8192, quick: 2048, waiting: 256, fresh: 1024 });
});

test("as many attempts as there are quick places leave none, until the first ends or hangs", () => {
  const [end] = begin(20);
  expect([places.room, rooms]).toEqual([0, 0]);
  end?.();
  expect([places.room, rooms]).toEqual([1, 1]);
  begin(1, "wh_next");
  vi.advanceTimersByTime(300);
  expect([places.room, rooms]).toEqual([20, 2]);
});

test("receivers that hang are barred from the last quarter of the places, until they answer quickly", () => {
  const ends = begin(59, "hung");
  expect(places.hung).toEqual([]);
  vi.advanceTimersByTime(2001);
  expect([places.hung.length, places.barsHung]).toEqual([59, false]);
  begin(1, "live");
  expect(places.barsHung).toBe(true);
  ends[0]?.();
  expect([places.hung.includes("hung_0"), places.barsHung]).toEqual([true, false]);
  const [again] = begin(1, "hung");
  again?.();
  expect([places.hung.includes("hung_0"), places.hung.length]).toEqual([false, 58]);
});

test("a receiver does not hang while its attempt waits for its turn, nor while its answer waits to be read", () => {
  const place = places.take("wh_waiting");
  vi.advanceTimersByTime(5000);
  expect([places.room, places.hung]).toEqual([19, []]);
  place.begin();
  vi.advanceTimersByTime(1999);
  // The time is up in the turn of the event loop in which the answer is read.
  vi.advanceTimersToNextTimer();
  place.leave(true);
  vi.runAllTimers();
  expect(places.hung).toEqual([]);
});

test("few of each kind wait for their turn to begin, and neither takes the places of the other", () => {
  places = placesWith({ inFlight: 80, quick: 80, waiting: 16, fresh: 16 });
  const fresh = Array.from({ length: 16 }, (_, index) => places.take(`wh_fresh_${index}`, "fresh"));
  expect([places.room, places.freshRoom]).toEqual([16, 0]);
  const due = Array.from({ length: 16 }, (_, index) => places.take(`wh_${index}`));
  expect([places.room, places.freshRoom]).toEqual([0, 0]);
  due[0]?.begin();
  // Not worth a claim yet.
  expect([places.room, rooms]).toEqual([0, 0]);
  due[1]?.begin();
  expect([places.room, places.freshRoom, rooms]).toEqual([2, 0, 1]);
  for (const place of [...fresh, ...due]) place.leave(true);
  expect([places.room, places.freshRoom]).toEqual([16, 16]);
});

test("more that are fresh are worth a statement once half of their places are free, which is said once", () => {
  places = placesWith({ inFlight: 80, quick: 80, waiting: 16, fresh: 16 });
  const fresh = Array.from({ length: 16 }, (_, index) => places.take(`wh_${index}`, "fresh"));
  for (const place of fresh.slice(0, 7)) place.begin();
  expect([places.freshRoom, places.hasFreshRoom, freshRooms]).toEqual([7, false, 0]);
  for (const place of fresh.slice(7, 9)) place.begin();
  expect([places.freshRoom, places.hasFreshRoom, freshRooms]).toEqual([9, true, 1]);
});

/** The reliable webhooks after an attempt of one. */
const attempt = (isTaken: boolean, ms: number): readonly string[] => {
  const place = places.take("wh_1");
  place.begin();
  vi.advanceTimersByTime(ms);
  place.leave(isTaken);
  return places.reliable;
};

test("a receiver is reliable once it took its last attempt soon enough", () => {
  expect([attempt(false, 1), attempt(true, 1), attempt(true, 2001), attempt(true, 1), attempt(false, 1)]).toEqual([
    [],
    ["wh_1"],
    [],
    ["wh_1"],
    [],
  ]);
});

test("there are never more in flight than places, whoever hangs", () => {
  begin(80);
  vi.advanceTimersByTime(300);
  expect(places.room).toBe(0);
});
