import { auth, operator } from "@curtail/contract";
import { expect } from "vitest";
import { expectError } from "./expect-error.js";
import { type Browser, newBrowser } from "./people.js";
import { type Running, running } from "./running.js";

export let service: Running;
export let ann: Browser;

export const prepare = async () => {
  service = await running();
};

export const prepareEach = async () => {
  ann = await newBrowser(service, "operator");
};

export const expectEnded = async (browser: Browser): Promise<void> =>
  expectError(await browser.auth(auth.getSession), 401, /sign in first/);
export const expectGoing = async (browser: Browser): Promise<void> =>
  expect((await browser.auth(auth.getSession)).status).toBe(200);
export const write = (headers: Record<string, string>) =>
  ann.operator(operator.createAccount, { body: { name: "New" }, headers });

export const endOf = async (browser: Browser): Promise<unknown> =>
  (await browser.auth(auth.getSignInOptions)).body.session_end;
