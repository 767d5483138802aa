import { expect, test } from "vitest";
import { certifiedWords, passedWords } from "../../src/parts/certified-words.js";
import { certifiedBy } from "../../src/rules/certificate.js";

const pass = {
  scenario_id: "scn_1",
  passed_at: "2025-11-20T12:00:00Z",
  key_id: null,
  scenario_type: "cancellation",
} as const;
const certificate = {
  id: "cer_1",
  account_id: "acc_1",
  certified_at: "2025-11-20T12:00:00Z",
  passes: [
    { ...pass, channels: ["polling" as const] },
    { ...pass, scenario_type: "update" as const, channels: ["polling" as const, "webhook" as const] },
  ],
};

test("a certificate is told by its date, what was passed and how the dispatches were heard of", () => {
  const certified = certifiedBy(certificate);
  expect(certifiedWords(certified)).toBe("Integration certified on Thu 20 Nov 2025");
  expect(passedWords(certified)).toBe("update and cancellation, by webhook and polling or stream");
});

test("a certificate without a channel names none", () => {
  const passes = certificate.passes.map((each) => ({ ...each, channels: [] }));
  expect(passedWords(certifiedBy({ ...certificate, passes }))).toBe("update and cancellation");
});
