import { describe, expect, test } from "vitest";
import { causedBy, traceOf } from "../../src/platform/trace-cause.js";
import { traceContextOf } from "../../src/platform/trace-context.js";

const [TRACE, SPAN] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];

// https://www.w3.org/TR/trace-context/#traceparent-header-field-values
describe("a traceparent", () => {
  test("names trace, span and flags", () => {
    expect(traceContextOf(`00-${TRACE}-${SPAN}-01`)).toEqual({ traceId: TRACE, spanId: SPAN, traceFlags: 1 });
  });

  test("of a later version may have more parts", () => {
    expect(traceContextOf(`cc-${TRACE}-${SPAN}-00-what-comes`)).toMatchObject({ traceId: TRACE, traceFlags: 0 });
  });

  test.each([
    ["no hyphens", `00${TRACE}${SPAN}01`],
    ["no trace", `00-${"0".repeat(32)}-${SPAN}-01`],
    ["no span", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["capitals", `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ["version ff", `ff-${TRACE}-${SPAN}-01`],
    ["one character too many", `00-${TRACE}-${SPAN}-011`],
    ["nothing", ""],
  ])("is none with %s", (_, text) => {
    expect(traceContextOf(text)).toBeNull();
  });
});

test("entries have the trace of the request that they are written for, also after it waited", async () => {
  const noted: string[] = [];
  const cause = { traceparent: `00-${TRACE}-${SPAN}-01`, noteEntry: (kind: string) => void noted.push(kind) };
  const later = new Promise<string | null>((resolve) => {
    causedBy(cause, () => void setImmediate(() => resolve(traceOf("dispatch.create", "dis_1"))));
  });
  expect(traceOf("dispatch.change", "dis_2")).toBeNull();
  expect(await later).toBe(cause.traceparent);
  expect(noted).toEqual(["dispatch.create"]);
});
