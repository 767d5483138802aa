import { isIP, type LookupFunction, type Socket } from "node:net";
import { callbackify } from "node:util";
import { buildConnector } from "undici";
import { type AddressPolicy, ATTEMPT_MS } from "../attempt.js";
import { type Admit, type Resolve, refuseAddress, resolveGuarded } from "./address-guard.js";

export type Connect = buildConnector.connector;

export interface ConnectOptions {
  readonly policy: AddressPolicy;
  readonly resolve: Resolve;
  /** Asked before each dialling. */
  readonly admit?: Admit | undefined;
  /** Certificates to trust instead of the usual ones. */
  readonly ca?: string | undefined;
  /** What we prove ourselves with, where the peer asks. */
  readonly identity?: ClientIdentity | undefined;
}

/** PEM. */
export interface ClientIdentity {
  readonly key: string;
  readonly cert: string;
}

/** How long one of several addresses may take before the next is tried. Twice Node's default: far receivers exist. */
const NEXT_ADDRESS_MS = 500;

/** Dials only addresses that passed the guard: literals, every address of a name, and the peer once connected. */
export const guardedConnect = (options: ConnectOptions): Connect => {
  const plain = connectorFor("http:", options);
  const secure = connectorFor("https:", options);
  return (target, callback) => {
    // No lookup happens for a literal, so it is checked here.
    const { hostname, protocol } = target;
    const blocked =
      isIP(hostname) === 0
        ? null
        : (refuseAddress(hostname, protocol, options.policy) ?? options.admit?.([hostname]) ?? null);
    if (blocked !== null) return callback(blocked, null);
    const connect = protocol === "https:" ? secure : plain;
    connect(target, (...[error, socket]) => {
      if (error !== null || socket === null) return callback(error ?? new Error("neither socket nor error"), null);
      const refusal = refusePeer(socket, protocol, options.policy);
      if (refusal === null) return callback(null, socket);
      socket.destroy();
      callback(refusal, null);
    });
  };
};

const connectorFor = (protocol: string, options: ConnectOptions): Connect =>
  buildConnector({
    lookup: guardedLookup(protocol, options),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    timeout: ATTEMPT_MS,
    rejectUnauthorized: true, // whatever NODE_TLS_REJECT_UNAUTHORIZED says
    // Node does not compare the certificate with the host name on a resumed session, so none is resumed.
    maxCachedSessions: 0,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
    ...options.identity,
  });

/** The socket asks this for addresses and dials what it answers: there is no second look-up to be fooled by. */
const guardedLookup = (protocol: string, options: ConnectOptions): LookupFunction => {
  const resolve = callbackify(async (hostname: string) => resolveGuarded(hostname, protocol, options));
  return (hostname, { all }, callback) =>
    resolve(hostname, (error, addresses) => {
      const first = addresses?.[0];
      if (error !== null || first === undefined) callback(error, []);
      else if (all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
};

/** A peer that is already gone has no address; it was no wrong one. */
const refusePeer = (socket: Socket, protocol: string, policy: AddressPolicy): Error | null =>
  socket.remoteAddress === undefined
    ? Object.assign(new Error("the peer closed the connection immediately"), { code: "ECONNRESET" })
    : refuseAddress(socket.remoteAddress, protocol, policy);
