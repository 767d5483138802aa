import { operator } from "@curtail/contract";
import * as limits from "@curtail/contract/constants";
import { presets, STATUS_LIMITS } from "@curtail/measure";
import { describe, expect, test } from "vitest";
import { baselineChoices } from "../../src/rules/baseline.js";

/** A schema as JSON, so that a limit is found however deep it stands. */
const json = (schema: unknown): string => JSON.stringify(schema);
const maxLength = (schema: unknown): number => Number(/"maxLength":(\d+)/.exec(json(schema))?.[1]);
const maximum = (schema: unknown): number => Number(/"maximum":(\d+)/.exec(json(schema))?.[1]);

describe("what forms let in is what the contract takes", () => {
  test("for texts", () => {
    const { createUser, createContact, createSite, createProgram, createAccount, createVen } = operator;
    const names = [createUser.body, createContact.body, createSite.body, createProgram.body, createAccount.body];
    expect(names.map((body) => maxLength(body.properties.name))).toEqual(names.map(() => limits.NAME_CHARACTERS));
    expect(maxLength(createUser.body.properties.email)).toBe(limits.EMAIL_CHARACTERS);
    expect(maxLength(createContact.body.properties.phone)).toBe(limits.PHONE_CHARACTERS);
    expect(maxLength(createVen.body.properties.ven_id)).toBe(limits.VEN_ID_CHARACTERS);
    expect(maxLength(createVen.body.properties.transport)).toBe(limits.ADDRESS_CHARACTERS);
    expect(maxLength(operator.changeDispatch.body.properties.void_reason)).toBe(limits.VOID_REASON_CHARACTERS);
  });

  test("for numbers", () => {
    const { createVen, certifyVen, verifySite, listAccounts } = operator;
    expect(maximum(createVen.body.properties.poll_interval_seconds)).toBe(limits.MAX_POLL_SECONDS);
    expect(maximum(certifyVen.body.properties.days)).toBe(limits.MAX_CERTIFICATE_DAYS);
    expect(maximum(verifySite.body.properties.duration_seconds)).toBe(limits.MAX_VERIFICATION_SECONDS);
    expect(maximum(listAccounts.query.properties.limit)).toBe(limits.MAX_PAGE);
  });
});

describe("what holds where a program has nothing of its own", () => {
  test("are the presets of a baseline that are computed", () => {
    const offered = baselineChoices().map(({ value }) => value);
    expect(offered.filter((value) => value !== "" && value !== "method")).toEqual(presets.map(({ id }) => id));
  });

  test("are the limits of the statuses that are computed", () => {
    expect(limits.DEFAULT_STATUS_LIMITS).toEqual({
      amber_from: STATUS_LIMITS.amberFrom,
      green_from: STATUS_LIMITS.greenFrom,
      green_to: STATUS_LIMITS.greenTo,
      stale_seconds: STATUS_LIMITS.staleSeconds,
      least_coverage: STATUS_LIMITS.leastCoverage,
    });
  });
});
