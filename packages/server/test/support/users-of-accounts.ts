import { operator, participantConsole } from "@curtail/contract";
import type { Answer } from "./http-client.js";
import { type Browser, follow, newBrowser, PASSWORD, trySignIn } from "./people.js";
import { type Participant, type Running, running } from "./running.js";

interface Invited {
  readonly invitation_url: string;
}

export let service: Running;
export let anna: Participant;
export let admin: Browser;
export let theirAdmin: Browser;
let count = 0;

export const prepare = async () => {
  service = await running();
};

export const prepareEach = async () => {
  service.clock.advance({ hours: 1 });
  anna = await service.newParticipant();
  admin = await newBrowser(service, "operator-admin");
  theirAdmin = await newBrowser(service, "participant-admin", anna.accountId);
};

export const newEmail = (): string => `somebody${++count}@example.com`;
export const operatorInvites = (
  email: string,
  role: (typeof operator.roles)[number] = "operator",
  accountId: string | null = null,
) => service.made(operator.createUser, { body: { email, name: "Invited", role, account_id: accountId } });
export const invites = (by: Browser, email: string) =>
  by.console(participantConsole.createOwnUser, { body: { email, name: "Invited", role: "participant-viewer" } });
export const accept = ({ invitation_url }: Invited, password = PASSWORD) =>
  follow(service, invitation_url, { password });
export const roleOf = async (email: string): Promise<string> =>
  (await trySignIn(service, { email, password: PASSWORD })).body.user?.role ?? "nobody";

export const statusesOf = (answers: readonly Answer[]): number[] =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

export const belongsToAnother = /belongs to another user now; ask for an invitation/;

export const activeAdmins = async (at: Running, role: string): Promise<number> => {
  const { items } = (await at.operator(operator.listUsers, { query: { limit: 500 } })).body;
  return items.filter((each) => each.role === role && !each.disabled).length;
};
