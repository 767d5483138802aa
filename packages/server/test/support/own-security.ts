import { auth, type BodyOf } from "@curtail/contract";
import { generateSync } from "otplib";
import { type Browser, newBrowser, PASSWORD, trySignIn } from "./people.js";
import { type Running, running } from "./running.js";

export const NEW_PASSWORD = "quite another password";

export let service: Running;
export let ann: Browser;

export const prepare = async () => {
  service = await running();
};

export const prepareEach = async () => {
  // Failures of the previous test no longer count.
  service.clock.advance({ hours: 1 });
  ann = await newBrowser(service, "operator");
};

export const stateWith = async (body: Omit<BodyOf<typeof auth.signIn>, "email">): Promise<string> =>
  (await trySignIn(service, { email: ann.email, ...body })).body.state ?? "refused";

export const change = (password: string, newPassword = NEW_PASSWORD, by = ann) =>
  by.auth(auth.changePassword, { body: { password, new_password: newPassword } });

export const left = async (): Promise<number> => (await ann.auth(auth.getSession)).body.recovery_codes_left;
export const remove = (body: object) => ann.auth("POST", "/totp/remove", body);

let secret: string;
export let codes: string[];

export const codeOf = (): string => generateSync({ secret, epoch: Math.floor(service.clock.now().getTime() / 1000) });

export const prepareApp = async () => {
  secret = (await ann.auth(auth.setUpTotp, { body: { password: PASSWORD } })).body.secret ?? "";
  codes = (await ann.auth(auth.setUpTotp, { body: { code: codeOf() } })).body.recovery_codes ?? [];
};
