import { expect, test } from "vitest";
import { programObject } from "../../src/mapping/program-object.js";
import { reportRequest } from "../../src/mapping/report-request.js";

const program = { name: "Summer Peak", longName: "Summer Peak", programType: "peak_saver", targets: [] };

test("a program tells who offers it, where, and that its events may change", () => {
  const retailer = { name: "Gridworks", country: "US", subdivision: "TX" };
  expect(programObject(program, retailer).attributes).toEqual([
    { type: "PROGRAM_LONG_NAME", values: ["Summer Peak"] },
    { type: "RETAILER_NAME", values: ["Gridworks"] },
    { type: "PROGRAM_TYPE", values: ["peak_saver"] },
    { type: "COUNTRY", values: ["US"] },
    { type: "PRINCIPAL_SUBDIVISION", values: ["TX"] },
    { type: "BINDING_EVENTS", values: [false] },
    { type: "LOCAL", values: [false] },
  ]);
});

test("what the operator did not set is left out, and a long name is cut between characters", () => {
  const longName = `${"x".repeat(127)}😀`;
  const { attributes, targets } = programObject(
    { ...program, longName },
    { name: null, country: null, subdivision: null },
  );
  expect(attributes).toEqual([
    { type: "PROGRAM_LONG_NAME", values: ["x".repeat(127)] },
    { type: "PROGRAM_TYPE", values: ["peak_saver"] },
    { type: "BINDING_EVENTS", values: [false] },
    { type: "LOCAL", values: [false] },
  ]);
  expect(targets).toBeUndefined();
});

test("a program describes the payloads of its events and reports", () => {
  const { payloadDescriptors } = programObject(program, { name: null, country: null, subdivision: null });
  expect(payloadDescriptors?.map(({ payloadType }) => payloadType)).toEqual([
    "DISPATCH_SETPOINT_RELATIVE",
    "SIMPLE",
    "DEMAND",
    "USAGE",
    "OPERATING_STATE",
  ]);
});

test("the standing request asks for demand and usage at any time, without intervals", () => {
  expect(reportRequest({ programId: "prog_1", resourceNames: ["a", "b"], loadNames: ["a", "b"] })).toEqual({
    programID: "prog_1",
    eventName: "Telemetry",
    targets: ["a", "b"],
    reportDescriptors: [
      {
        payloadType: "DEMAND",
        readingType: "MEAN",
        units: "KW",
        frequency: 0,
        repeat: -1,
        reportIntervals: "OPEN_INTERVALS",
      },
      {
        payloadType: "USAGE",
        readingType: "DIRECT_READ",
        units: "KWH",
        frequency: 0,
        repeat: -1,
        reportIntervals: "OPEN_INTERVALS",
      },
    ],
    intervals: [],
  });
});

test("the standing request lists what reports name, if that is not just the resources", () => {
  const { reportDescriptors, targets } = reportRequest({
    programId: "prog_1",
    resourceNames: ["a", "b"],
    loadNames: ["a", "b/one", "b/two"],
  });
  expect(targets).toEqual(["a", "b"]);
  expect(reportDescriptors?.map((each) => each.targets)).toEqual([
    ["a", "b/one", "b/two"],
    ["a", "b/one", "b/two"],
  ]);
});
