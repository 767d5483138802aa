import { isIP, type LookupFunction, type Socket } from "node:net";
import { callbackify } from "node:util";
import { buildConnector } from "undici";
import { type AddressPolicy, ATTEMPT_MS } from "../attempt.js";
import { type Admit, type Resolve, refuseAddress, resolveGuarded } from "./address-guard.js";

export type Connect = buildConnector.connector;

export interface ConnectOptions {
  readonly policy: AddressPolicy;
  readonly resolve: Resolve;
  /** Checked before each connection. */
  readonly admit?: Admit | undefined;
  /** Certificates to trust instead of the usual ones. */
  readonly ca?: string | undefined;
  /** Our client certificate, if the peer requests one. */
  readonly identity?: ClientIdentity | undefined;
}

/** PEM. */
export interface ClientIdentity {
  readonly key: string;
  readonly cert: string;
}

/** How long one of several addresses may take before the next is tried. Twice Node's default, for distant receivers. */
const NEXT_ADDRESS_MS = 500;

/** Connects only to addresses that pass the guard: literals, every address of a name, and the connected peer. */
export const guardedConnect = (options: ConnectOptions): Connect => {
  const plain = connectorFor("http:", options);
  const secure = connectorFor("https:", options);
  return (target, callback) => {
    // Literals are not looked up, so check them here.
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
    rejectUnauthorized: true, // regardless of NODE_TLS_REJECT_UNAUTHORIZED
    // Node does not check the host name of a certificate on a resumed session, so resume none.
    maxCachedSessions: 0,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
    ...options.identity,
  });

/** The socket dials exactly the addresses that this lookup returns: no second lookup can return others. */
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

/** A peer that already disconnected has no address; that is no violation. */
const refusePeer = (socket: Socket, protocol: string, policy: AddressPolicy): Error | null =>
  socket.remoteAddress === undefined
    ? Object.assign(new Error("the peer closed the connection immediately"), { code: "ECONNRESET" })
    : refuseAddress(socket.remoteAddress, protocol, policy);
