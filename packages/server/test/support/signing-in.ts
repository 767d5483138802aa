import { auth } from "@curtail/contract";
import { generateSync } from "otplib";
import { expect } from "vitest";
import { newPerson, PASSWORD, type Person, signIn, trySignIn } from "./people.js";
import { type Running, running } from "./running.js";

export let service: Running;
export let ann: Person;

export const prepare = async () => {
  service = await running();
};

export const prepareEach = async () => {
  // Failures of the previous test no longer count.
  service.clock.advance({ minutes: 15 });
  ann = await newPerson(service, "operator");
};

export const wrongPassword = () => trySignIn(service, { email: ann.email, password: "wrong horse battery" });
export const codeOf = (secret: string, step = 0): string =>
  generateSync({ secret, epoch: Math.floor(service.clock.now().getTime() / 1000) + step * 30 });
export const withCode = (totp?: string) =>
  trySignIn(service, { email: ann.email, password: PASSWORD, ...(totp === undefined ? {} : { totp }) });

export let secret: string;

export const begun = async () => {
  const browser = await signIn(service, ann);
  const { body } = await browser.auth(auth.setUpTotp, { body: { password: PASSWORD } });
  secret = body.secret ?? "";
  return { browser, uri: new URL(body.otpauth_uri ?? "") };
};

export const setUp = async () => {
  const { browser } = await begun();
  const confirmed = (await browser.auth(auth.setUpTotp, { body: { code: codeOf(secret) } })).body;
  expect(confirmed).toMatchObject({ state: "confirmed", secret: null, otpauth_uri: null });
  // After the step whose code confirmed.
  service.clock.advance({ minutes: 2 });
  return browser;
};
