import { operator } from "@curtail/contract";
import {
  auth,
  events,
  type MqttNotifier,
  notifiers,
  programs,
  reports,
  resources,
  subscriptions,
  topics,
  vens,
} from "@curtail/openadr-3";
import { plainFetch } from "@curtail/testing/plain-fetch";
import { expect } from "vitest";
import type { Answer } from "./http-client.js";
import { faultOfAnswer } from "./openadr-3-document.js";
import { type Participant, type Running, running } from "./running.js";

/** An operation of OpenADR 3. */
interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

interface Input {
  /** The id in the path. */
  readonly id?: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls the VTN with a token, and holds each answer to the official document. */
export type Call31 = (operation: Operation, input?: Input) => Promise<Answer>;

/** A client that has a token, with a short name for each operation. */
export type Client31 = ReturnType<typeof clientOf>;

export const clientOf = (vtnUrl: string, token: string | null) => {
  const call: Call31 = (operation, input) => callVtn(vtnUrl, token, operation, input);
  const of = (kind: {
    readonly search: Operation;
    readonly create: Operation;
    readonly get: Operation;
    readonly update: Operation;
    readonly remove: Operation;
  }) => ({
    search: (query: Input["query"] = {}) => call(kind.search, { query }),
    create: (body: unknown) => call(kind.create, { body }),
    get: (id: string) => call(kind.get, { id }),
    update: (id: string, body: unknown) => call(kind.update, { id, body }),
    remove: (id: string) => call(kind.remove, { id }),
    /** Creates it and expects that to succeed; returns the object. */
    async made(body: unknown) {
      const answer = await call(kind.create, { body });
      expect(answer).toMatchObject({ status: 201 });
      return answer.body;
    },
  });
  return {
    token,
    call,
    programs: of(programs),
    events: of(events),
    reports: of(reports),
    subscriptions: of(subscriptions),
    vens: of(vens),
    resources: of(resources),
    notifiers: () => call(notifiers),
    topics: (name: keyof typeof topics, id?: string) => call(topics[name], id === undefined ? {} : { id }),
  };
};

const callVtn = async (
  vtnUrl: string,
  token: string | null,
  operation: Operation,
  { id, query = {}, body, headers = {} }: Input = {},
): Promise<Answer> => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, String(each)] as [string, string]),
  );
  const search = pairs.length === 0 ? "" : `?${new URLSearchParams(pairs).toString()}`;
  const response = await plainFetch(
    `${vtnUrl}${operation.path.replace("{id}", encodeURIComponent(id ?? ""))}${search}`,
    {
      method: operation.method,
      redirect: "manual",
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    },
  );
  const text = await response.text();
  const answer = { status: response.status, headers: response.headers, text, body: JSON.parse(text) as unknown };
  expect(faultOfAnswer(operation, answer)).toBeNull();
  return answer;
};

/** What a token request sends. */
export const requestToken = async (
  vtnUrl: string,
  form: Readonly<Record<string, string>> | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const response = await plainFetch(`${vtnUrl}${auth.token.path}`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: typeof form === "string" ? form : new URLSearchParams(form).toString(),
  });
  const text = await response.text();
  const answer = { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  expect(faultOfAnswer(auth.token, answer)).toBeNull();
  return answer;
};

export interface Secret31 {
  readonly id: string;
  readonly secret: string;
}

export const tokenOf = async (vtnUrl: string, { id, secret }: Secret31, scope = ""): Promise<string> => {
  const { body } = await requestToken(vtnUrl, {
    grant_type: "client_credentials",
    client_id: id,
    client_secret: secret,
    ...(scope === "" ? {} : { scope }),
  });
  return String(body.access_token);
};

/** Its settings, and its participant; a new one unless given. */
type NewVen = Readonly<Record<string, unknown>> & { readonly participant?: Participant };

/** A running service with its OpenADR 3 listener. */
export interface Vtn extends Running {
  /** With the base path. */
  readonly vtnUrl: string;
  /** A client with a token. */
  connected(secret: Secret31): Promise<Client31 & Secret31>;
  bl(options?: object): Promise<Client31 & Secret31>;
  /** A VEN of a participant; of a new one unless given. */
  ven(options?: NewVen): Promise<Client31 & Secret31>;
  /** Sends a token that is none. */
  readonly bad: Client31;
  readonly anonymous: Client31;
}

export const MQTT: MqttNotifier = {
  URIS: ["mqtts://broker.example.com"],
  serialization: "JSON",
  authentication: { method: "ANONYMOUS" },
};

export const runningVtn = async (
  settings: Readonly<Record<string, string>> = {},
  given: Parameters<typeof running>[1] = {},
): Promise<Vtn> => {
  const service = await running(settings, given);
  const vtnUrl = await service.listenToOpenadr3();
  const withToken = async (secret: Secret31) => ({
    ...clientOf(vtnUrl, await tokenOf(vtnUrl, secret)),
    ...secret,
  });
  const connected = (client: operator.NewOpenadr3Client) =>
    withToken({ id: client.id, secret: client.client_secret ?? "" });
  let count = 0;
  return {
    ...service,
    vtnUrl,
    connected: withToken,
    bl: async (options = {}) =>
      connected(await service.made(operator.createBusinessLogic, { body: { name: `BL ${++count}`, ...options } })),
    async ven({ participant, ...options } = {}) {
      const { accountId } = participant ?? (await service.newParticipant());
      const body = { name: `VEN ${++count}`, ...options };
      return connected(await service.made(operator.createOpenadrClient, { params: { id: accountId }, body }));
    },
    bad: clientOf(vtnUrl, "bad_token"),
    anonymous: clientOf(vtnUrl, null),
  };
};
