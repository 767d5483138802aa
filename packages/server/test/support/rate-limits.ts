import { expect } from "vitest";
import { expectError } from "./expect-error.js";
import type { Answer } from "./http-client.js";
import { type Running, running } from "./running.js";

export let service: Running;

export const prepare = async () => {
  service = await running({ CURTAIL_RATE_LIMIT_DISPATCHES: "5", CURTAIL_RATE_LIMIT: "8" });
};

export const expectTooMany = (answer: Answer, retryAfter: number): void => {
  expectError(answer, 429, new RegExp(`${retryAfter} seconds`));
  expect(answer.headers.get("retry-after")).toBe(String(retryAfter));
};

/** `x-ratelimit-limit`, `-remaining`, `-reset`. */
export const limits = ({ headers }: Answer): Array<number | null> =>
  ["limit", "remaining", "reset"].map((name) => {
    const text = headers.get(`x-ratelimit-${name}`);
    return text === null ? null : Number(text);
  });
