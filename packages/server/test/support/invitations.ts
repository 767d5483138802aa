import { operator } from "@curtail/contract";
import { PASSWORD, trySignIn } from "./people.js";
import { type Running, running } from "./running.js";

export let service: Running;
export let email: string;
export let user: { id: string; invitation_url: string; invitation_expires_at: string };
let count = 0;

export const prepare = async () => {
  service = await running();
};

export const prepareEach = async () => {
  email = `invited.person${++count}@example.com`;
  user = await service.made(operator.createUser, { body: { email, name: "Ann", role: "operator" } });
};

export const password = PASSWORD;
export const signInState = async (given = password) =>
  (await trySignIn(service, { email, password: given })).body.state ?? "refused";
export const form = { accept: "text/html", "content-type": "application/x-www-form-urlencoded" };
export const first = { email: "first@example.com", name: "First", password };
