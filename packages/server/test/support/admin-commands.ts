import { expect } from "vitest";
import { adminOf, type Ran, type RunOptions } from "../app/admin-run.js";
import { type Running, running } from "./running.js";

export let service: Running;
export let run: (args: readonly string[], options?: RunOptions) => Promise<Ran>;

export const prepare = async () => {
  service = await running();
  run = adminOf(service);
};

/** Runs a command that must succeed; returns the service's JSON. */
export const made = async (...args: string[]) => {
  const { exitCode, stderr, json } = await run([...args, "--json"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return json;
};

export const said = async (...args: string[]): Promise<string> => {
  const { exitCode, stdout, stderr } = await run(args);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return stdout;
};

export const newAccount = async (name = "North"): Promise<string> =>
  (await made("accounts", "create", "--name", name)).id;
export const newSite = (accountId: string, ...meters: string[]) =>
  made("sites", "create", accountId, "--name", "Mill", ...meters.flatMap((meter) => ["--meter", meter]));
export const peak = [
  "--name",
  "Peak",
  "--timezone",
  "America/Chicago",
  "--market",
  "ERCOT",
  "--program-type",
  "capacity",
];

export let program: string;
export let sites: string[];

export const prepareDispatched = async () => {
  const account = await newAccount();
  sites = [(await newSite(account)).id, (await newSite(account)).id];
  program = (await made("programs", "create", ...peak)).id;
  for (const site of sites) await made("programs", "enrol", program, site, "--commitment", "50");
};
