import { auth } from "@curtail/contract";
import { beforeAll, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { type Browser, newBrowser, signIn } from "../../support/people.js";
import { type Running, running } from "../../support/running.js";

let service: Running;
let ann: Browser;

beforeAll(async () => {
  service = await running();
  ann = await newBrowser(service, "operator");
});

const dismissed = async (browser: Browser) => (await browser.auth(auth.getSession)).body.dismissed_hints;
const set = async (hint: (typeof auth.hints)[number], to: boolean) =>
  (await ann.auth(auth.setHint, { body: { hint, dismissed: to } })).status;

test("a hint that was put away stays away on every browser of the user, and comes back when asked for", async () => {
  const other = await signIn(service, ann);
  const bob = await newBrowser(service, "auditor");
  expect(await dismissed(ann)).toEqual([]);
  expect([await set("authenticator", true), await set("authenticator", true)]).toEqual([204, 204]);
  await set("first_steps", true);
  expect(await dismissed(other)).toEqual(["first_steps", "authenticator"]);
  expect(await dismissed(bob)).toEqual([]);
  await set("authenticator", false);
  expect(await dismissed(ann)).toEqual(["first_steps"]);
});

test("an unknown hint is refused", async () => {
  const answer = await ann.auth("PUT", "/hints", { hint: "tour", dismissed: true });
  expectError(answer, 400, /hint/);
});
