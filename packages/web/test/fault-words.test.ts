import { describe, expect, test } from "vitest";
import { ApiError } from "../src/api/call.js";
import { faultsIn, faultWords } from "../src/ui/fault.js";

const faults = (message: string) => faultsIn(new ApiError(400, message));

describe("the faults of an answer", () => {
  test("stand at their members, several of them after each other", () => {
    const found = faults("poll_interval_seconds is 0; it must be at least 1; name is missing; it must be given");
    expect(found.map(({ member, words }) => [member, words])).toEqual([
      ["poll_interval_seconds", "Enter at least 1 second."],
      ["name", "This field is required."],
    ]);
  });

  test("are told in the unit of the form, and alone with the noun of the member", () => {
    const [limit] = faults("status_limits.amber_from is 200; it must be at most 100");
    expect(limit?.words).toBe("Enter at most 10000%.");
    expect(faultWords(new ApiError(400, "schedule_cutoff_seconds is -1; it must be at most 31536000"))).toBe(
      "The schedule cutoff seconds: Enter at most 365 days.",
    );
  });

  test("are one sentence where no member is named", () => {
    expect(faultWords(new ApiError(503, "the service is being upgraded"))).toBe("The service is being upgraded.");
  });
});

test("an error that is none of the service's is told as it is", () => {
  expect(faultsIn(new Error("no such file"))).toEqual([{ member: null, words: "no such file", alone: "no such file" }]);
});
