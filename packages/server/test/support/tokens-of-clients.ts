import { expect } from "vitest";
import { clientOf, runningVtn, type Vtn } from "./openadr-3.js";

export const vtn: Vtn = await runningVtn();

export const form = (id: string, secret: string, more: Readonly<Record<string, string>> = {}) => ({
  grant_type: "client_credentials",
  client_id: id,
  client_secret: secret,
  ...more,
});
export const refusal = (status: number, error: string) => ({
  status,
  body: { error, status, detail: expect.any(String) },
});
export const isServed = async (token: string): Promise<number> =>
  (await clientOf(vtn.vtnUrl, token).programs.search()).status;
