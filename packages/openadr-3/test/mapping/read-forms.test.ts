import { describe, expect, test } from "vitest";
import { readForm } from "../../src/mapping/read-forms.js";

const bl = (type: Parameters<typeof readForm>[1]["type"], body: unknown) => readForm(body, { type, role: "bl" });
const ven = (type: Parameters<typeof readForm>[1]["type"], body: unknown) => readForm(body, { type, role: "ven" });

describe("the request of a ven or resource", () => {
  test("without objectType is that of the client's role, with a hint", () => {
    expect(ven("VEN", { venName: "v" })).toEqual({
      body: { objectType: "VEN_VEN_REQUEST", venName: "v" },
      hints: ["objectType is missing; the request was read as VEN_VEN_REQUEST"],
    });
    expect(bl("RESOURCE", { clientID: "c" }).body).toEqual({ objectType: "BL_RESOURCE_REQUEST", clientID: "c" });
  });

  test("as GET returned it is a request, without what only business logic writes", () => {
    const read = { id: "1", objectType: "RESOURCE", clientID: "c", targets: ["t"], resourceName: "r", venID: "v" };
    expect(ven("RESOURCE", read)).toEqual({
      body: { id: "1", objectType: "VEN_RESOURCE_REQUEST", resourceName: "r", venID: "v" },
      hints: [],
    });
    expect(bl("RESOURCE", read)).toEqual({ body: { ...read, objectType: "BL_RESOURCE_REQUEST" }, hints: [] });
  });

  test("with another objectType stays as it is, to be refused or not", () => {
    for (const objectType of ["BL_VEN_REQUEST", "VEN_VEN_REQUEST", "RESOURCE", "x", 5])
      expect(ven("VEN", { objectType, targets: ["t"] })).toEqual({ body: { objectType, targets: ["t"] }, hints: [] });
  });
});

describe("targets", () => {
  const targets = [
    { type: "GROUP", values: ["group-1", "group-2"] },
    { type: "VEN_NAME", values: ["ven-1"] },
  ];

  test("as OpenADR 3.0 has them are texts", () => {
    const reportDescriptors = [
      { payloadType: "USAGE", targets },
      { payloadType: "DEMAND", targets: ["own"] },
    ];
    expect(bl("EVENT", { programID: "p", targets, reportDescriptors }).body).toEqual({
      programID: "p",
      targets: ["group-1", "group-2", "ven-1"],
      reportDescriptors: [
        { payloadType: "USAGE", targets: ["group-1", "group-2", "ven-1"] },
        { payloadType: "DEMAND", targets: ["own"] },
      ],
    });
    expect(bl("PROGRAM", { targets }).hints).toHaveLength(1);
  });

  test.each([
    [["group-1"]],
    [[{ type: "LOCATION", values: [1, 2] }]],
    [[{ type: "GROUP" }]],
    [[...targets, "x"]],
    ["x"],
    [[]],
  ])("that are something else stay: %j", (other) => {
    expect(bl("PROGRAM", { targets: other })).toEqual({ body: { targets: other }, hints: [] });
  });
});

const kindOf = (descriptor: object) =>
  (bl("PROGRAM", { payloadDescriptors: [descriptor] }).body as { payloadDescriptors: { objectType?: string }[] })
    .payloadDescriptors[0]?.objectType;

describe("descriptors of a program without objectType", () => {
  test("are of events or of reports by their payload, or by members that only reports have", () => {
    expect(kindOf({ payloadType: "PRICE" })).toBe("EVENT_PAYLOAD_DESCRIPTOR");
    expect(kindOf({ payloadType: "USAGE" })).toBe("REPORT_PAYLOAD_DESCRIPTOR");
    expect(kindOf({ payloadType: "x-private", readingType: "MEAN" })).toBe("REPORT_PAYLOAD_DESCRIPTOR");
    expect(kindOf({ payloadType: "PRICE", objectType: "REPORT_PAYLOAD_DESCRIPTOR" })).toBe("REPORT_PAYLOAD_DESCRIPTOR");
  });

  test("stay as they are if they may be either", () => {
    expect(kindOf({ payloadType: "x-private" })).toBeUndefined();
    expect(kindOf({})).toBeUndefined();
  });
});

test("what is no object, or of another type, stays as it is", () => {
  for (const body of [null, [], "x", 5, { objectType: null, payloadDescriptors: [null, { payloadType: "PRICE" }] }])
    expect(bl("EVENT", body)).toEqual({ body, hints: [] });
});
