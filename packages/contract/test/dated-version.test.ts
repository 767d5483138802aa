import { Compile } from "typebox/compile";
import { expect, test } from "vitest";
import { datedDocument } from "../src/dated-document.js";
import { datedEndpoint } from "../src/dated-endpoint.js";
import { sentenceWordingOf, wordingOf } from "../src/dated-version.js";
import { translated, translationOf } from "../src/translation.js";
import { v20201230 } from "../src/v2020-12-30/version.js";
import { uploadTelemetry } from "../src/v2022-04-15/telemetry.js";

const name = wordingOf(v20201230);
const same = (text: string): string => text;

test.each([
  ["sites", "facilities"],
  ["site_id", "facility_id"],
  ["/schedule/sites/{site_id}", "/schedule/facilities/{facility_id}"],
  ["listSites", "listFacilities"],
  ["TelemetryOfSites", "TelemetryOfFacilities"],
  ["a website of the campsite is on-site", "a website of the campsite is on-site"],
  ["sited", "sited"],
])("%s is %s in the words of the version", (current, dated) => {
  expect(name(current)).toBe(dated);
});

test("what somebody sent is quoted as it was", () => {
  expect(sentenceWordingOf(v20201230)('sites[0].name is "my site"; a site needs a name')).toBe(
    'facilities[0].name is "my site"; a facility needs a name',
  );
});

test("the document says site nowhere", () => {
  const document = JSON.stringify(datedDocument(v20201230, "sandbox"));
  expect(document.match(/\bsites?\b|[a-z]Sites?\b|site_id|"(dis|mtr|prg|scn|site|wh)_\w+"/g) ?? []).toEqual([]);
});

test("an operation that the version does not list is none of its own", () => {
  expect(datedEndpoint(v20201230, { ...uploadTelemetry, id: "uploadLater" })).toBeNull();
});

test("examples of bodies are right by the version's schema, and translate back", () => {
  for (const endpoint of v20201230.endpoints) {
    const { body } = datedEndpoint(v20201230, endpoint) ?? {};
    if (body === undefined || endpoint.body === undefined) continue;
    const check = Compile(body);
    const back = translationOf(endpoint.body, { from: name, to: same });
    for (const example of (body as { readonly examples?: readonly unknown[] }).examples ?? []) {
      expect([...check.Errors(example)]).toEqual([]);
      const current = translated(back, example, { id: (of, id) => `${of} ${String(id)}`, sentence: same });
      expect(JSON.stringify(current)).not.toMatch(/facilit/);
    }
  }
});
