import { expect } from "vitest";
import type { Answer } from "./http-client.js";

const types = {
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  409: "Conflict",
  429: "Too Many Requests",
  500: "Internal Server Error",
} as const;
export type ErrorStatus = keyof typeof types;

/** Expects the common error format: exactly a message and the type of the status (G2). */
export const expectError = (
  answer: Pick<Answer, "status" | "body">,
  status: ErrorStatus,
  message: RegExp = /\S/,
): void =>
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: { message: expect.stringMatching(message), type: types[status] },
  });

/** Expects a status below 500 and, for an error, the common format. */
export const expectNoFailure = (answer: Pick<Answer, "status" | "body">): void => {
  expect(answer.status).toBeLessThan(500);
  if (answer.status >= 400) expectError(answer, answer.status as ErrorStatus);
};
