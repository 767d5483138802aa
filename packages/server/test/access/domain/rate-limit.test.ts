import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countRequest, isIdle, rateWindow } from "../../../src/access/domain/rate-limit.js";

const NOW = Date.UTC(2026, 6, 1, 18);
const seconds = (n: number): number => NOW + n * 1000;

/** Sends `count` requests at that second and returns how many were allowed. */
const send = (window: ReturnType<typeof rateWindow>, limit: number, count: number, second: number): number =>
  Array.from({ length: count }, () => countRequest(window, limit, seconds(second))).filter((each) => each.allowed)
    .length;

describe("a sliding minute (G9)", () => {
  test("allows as many requests as the limit, and not one more", () => {
    const window = rateWindow();
    expect(send(window, 5, 7, 0)).toBe(5);
    expect(countRequest(window, 5, seconds(59)).allowed).toBe(false);
  });

  test("frees a request a minute after it was counted, not at the turn of the minute", () => {
    const window = rateWindow();
    send(window, 2, 1, 0);
    send(window, 2, 1, 30);
    expect(send(window, 2, 2, 59)).toBe(0);
    expect(send(window, 2, 2, 60)).toBe(1);
    expect(send(window, 2, 2, 89)).toBe(0);
    expect(send(window, 2, 2, 90)).toBe(1);
  });

  test("tells what is left, and in how many seconds the next one is free", () => {
    const window = rateWindow();
    expect(countRequest(window, 3, seconds(0))).toEqual({ allowed: true, limit: 3, remaining: 2, resetSeconds: 60 });
    expect(countRequest(window, 3, seconds(10))).toMatchObject({ remaining: 1, resetSeconds: 50 });
    expect(countRequest(window, 3, seconds(59))).toMatchObject({ remaining: 0, resetSeconds: 1 });
    expect(countRequest(window, 3, seconds(59))).toMatchObject({ allowed: false, remaining: 0, resetSeconds: 1 });
    expect(countRequest(window, 3, seconds(60)).allowed).toBe(true);
  });

  test("who waits as long as it was told is allowed", () => {
    const window = rateWindow();
    send(window, 4, 4, 7);
    const refused = countRequest(window, 4, seconds(20));
    expect(refused.allowed).toBe(false);
    expect(countRequest(window, 4, seconds(20 + refused.resetSeconds)).allowed).toBe(true);
  });

  test("a client that polls every second never meets the limit of 300", () => {
    const window = rateWindow();
    for (let second = 0; second < 600; second++) expect(send(window, 300, 1, second)).toBe(1);
  });

  test("a clock that steps back neither forgives nor punishes", () => {
    const window = rateWindow();
    send(window, 3, 2, 100);
    expect(send(window, 3, 2, 95)).toBe(1);
    expect(send(window, 3, 3, 160)).toBeGreaterThanOrEqual(2);
  });

  test("is idle once its last request is a minute old", () => {
    const window = rateWindow();
    expect(isIdle(window, seconds(0))).toBe(true);
    send(window, 3, 1, 0);
    expect(isIdle(window, seconds(59))).toBe(false);
    expect(isIdle(window, seconds(60))).toBe(true);
  });

  test("whatever the arrivals, no sixty seconds hold more than the limit, and what fits is allowed", () => {
    const arrivals = fc.array(fc.tuple(fc.integer({ min: 0, max: 45 }), fc.integer({ min: 1, max: 6 })), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), arrivals, (limit, steps) => {
        const window = rateWindow();
        const allowed: number[] = [];
        let second = 0;
        for (const [pause, count] of steps) {
          second += pause;
          const free = limit - allowed.filter((at) => at > second - 60).length;
          const passed = send(window, limit, count, second);
          expect(passed).toBe(Math.min(count, free));
          allowed.push(...Array.from({ length: passed }, () => second));
        }
      }),
    );
  });
});
