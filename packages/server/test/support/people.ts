import { auth, type BodyOf, operator } from "@curtail/contract";
import { type Answer, type AnswerOf, httpClient, type Send } from "./http-client.js";
import type { Running } from "./running.js";

export const PASSWORD = "correct horse battery";

/** A user who has set the password. */
export interface Person {
  readonly id: string;
  readonly email: string;
}

/** A user signed in from one browser. */
export interface Browser extends Person {
  readonly token: string;
  readonly auth: Send;
  readonly operator: Send;
  readonly console: Send;
}

type Role = (typeof operator.roles)[number];

let count = 0;

export const newPerson = async (
  service: Pick<Running, "url" | "made">,
  role: Role,
  accountId: string | null = null,
): Promise<Person> => {
  const email = `person${++count}@example.com`;
  const body = { email, name: `Person ${count}`, role, account_id: accountId };
  const { id, invitation_url } = await service.made(operator.createUser, { body });
  const accepted = await follow(service, invitation_url, { password: PASSWORD });
  if (accepted.status !== 200) throw new Error(`the invitation was answered ${accepted.status}: ${accepted.text}`);
  return { id, email };
};

/** Sends a request to a one-time link, at this service whatever the link's host. */
export const follow = ({ url }: Pick<Running, "url">, link: string, body?: unknown, headers = {}): Promise<Answer> =>
  httpClient(url)(body === undefined ? "GET" : "POST", new URL(link).pathname, body, headers);

export const trySignIn = (
  { url }: Pick<Running, "url">,
  body: BodyOf<typeof auth.signIn>,
  headers = {},
): Promise<AnswerOf<typeof auth.signIn>> => httpClient(`${url}/auth`)(auth.signIn, { body, headers });

export const tokenOf = (answer: Answer): string => cookieOf(answer, "curtail_session");

/** The device cookie, by which a browser is recognised after signing in. */
export const deviceOf = (answer: Answer): string => cookieOf(answer, "curtail_device");

const cookieOf = ({ headers }: Answer, name: string): string =>
  headers
    .getSetCookie()
    .find((each) => each.startsWith(`${name}=`))
    ?.split(/[=;]/)[1] ?? "none";

export const signIn = async (
  service: Pick<Running, "url">,
  person: Person,
  options: { readonly totp?: string } = {},
): Promise<Browser> => {
  const answer = await trySignIn(service, { email: person.email, password: PASSWORD, ...options });
  if (answer.body.state !== "signed_in") throw new Error(`signing in was answered ${answer.text}`);
  return browserWith(service, person, tokenOf(answer));
};

export const browserWith = ({ url }: Pick<Running, "url">, person: Person, token: string): Browser => {
  const cookie = { cookie: `curtail_session=${token}` };
  return {
    id: person.id,
    email: person.email,
    token,
    auth: httpClient(`${url}/auth`, cookie),
    operator: httpClient(`${url}/operator/v1`, cookie),
    console: httpClient(`${url}/console/v1`, cookie),
  };
};

export const newBrowser = async (
  service: Pick<Running, "url" | "made">,
  role: Role,
  accountId: string | null = null,
): Promise<Browser> => signIn(service, await newPerson(service, role, accountId));
