import { type Client, type ClientOptions, type ClientSettings, createClient } from "./client.js";

/** Paths of the interfaces below the address of a service. @internal */
export const basePaths = {
  participant: "/2022-04-15",
  operator: "/operator/v1",
  console: "/console/v1",
  auth: "/auth",
} as const;

export interface OperatorAccess extends ClientSettings {
  /** Address of the service, without a trailing slash. */
  readonly url: string;
  /** The operator token of the service. */
  readonly token: string;
}

/** A client of the operator API. @internal */
export const operatorClient = ({ url, token, ...settings }: OperatorAccess): Client =>
  createClient({ ...settings, baseUrl: url + basePaths.operator, headers: { authorization: `Bearer ${token}` } });

/** Where the participants' interface is, and with which key. */
export interface ParticipantAccess extends ClientSettings {
  /** Address of the service or its sandbox, without a trailing slash. */
  readonly url: string;
  /** API key of the account. */
  readonly key: string;
  /** Header that carries the key, a setting of the service. Default: `x-service-api-key`. */
  readonly keyHeader?: string;
}

/** A client of the participants' interface. @internal */
export const participantClient = (access: ParticipantAccess): Client => createClient(participantOptions(access));

/** Address and credentials of the participants' interface. */
export const participantOptions = ({
  url,
  key,
  keyHeader = "x-service-api-key",
  timeoutMs,
  redirect,
  fetch: fetchWith,
}: ParticipantAccess): ClientOptions => ({
  baseUrl: url + basePaths.participant,
  headers: { [keyHeader]: key },
  compression: new Set<string>(),
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
  ...(redirect === undefined ? {} : { redirect }),
  ...(fetchWith === undefined ? {} : { fetch: fetchWith }),
});
