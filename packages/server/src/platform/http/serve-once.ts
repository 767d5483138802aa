import { createHash } from "node:crypto";
import type { Endpoint, ReplyOf } from "@curtail/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Answered, Once, Within } from "../answer-once.js";
import { canonical, type RequestClaim, refuseKey } from "../idempotency.js";
import type { WrittenJson } from "../long-json.js";
import type { Ports } from "../ports.js";
import { isRefusal, type Result } from "../refusal.js";
import { turns } from "../turns.js";
import { type Call, serveResult } from "./endpoint.js";
import { requestValue } from "./request-value.js";

export interface OncePorts<W> {
  readonly once: Once<W>;
}

/** Ports of an operation that honours the header: its own, or those inside the transaction that stores its answer. */
export type RepeatablePorts<Stores> = Ports<Stores> & OncePorts<Within<Stores>>;

type GivenPorts<E extends Endpoint, P> = P | ((call: Call<E>) => P);

const portsOf = <E extends Endpoint, P>(given: GivenPorts<E, P>, call: Call<E>): P =>
  typeof given === "function" ? (given as (call: Call<E>) => P)(call) : given;

const holders = requestValue<string>();

/** Sets who holds the request's Idempotency-Key; without a holder the header is ignored. */
export const setKeyHolder = (request: FastifyRequest, holder: string): void => holders.set(request, holder);

/**
 * Serves an operation that honours Idempotency-Key (G57). With the header, the handler runs inside the transaction that
 * stores its answer; refusals are not stored. Ports may be a function that selects the environment.
 */
export const serveOnce = <E extends Endpoint & { readonly once: "within" }, W, P extends OncePorts<W>>(
  app: FastifyInstance,
  endpoint: E,
  given: GivenPorts<E, P & OncePorts<W>>,
  handler: (call: Call<E>, ports: P) => Promise<Result<ReplyOf<E>>>,
): void =>
  serveResult(app, endpoint, (call) => {
    const ports = portsOf(given, call);
    return answered(
      call,
      () => handler(call, ports),
      (claim) => ports.once.within(claim, (within) => handler(call, { ...ports, ...within })),
    );
  });

/** Serves one with effects outside the database: repeats are refused while the outcome of the first is unknown. */
export const serveOnceOutside = <E extends Endpoint & { readonly once: "outside" }, P extends OncePorts<unknown>>(
  app: FastifyInstance,
  endpoint: E,
  given: GivenPorts<E, P>,
  handler: (call: Call<E>, ports: P) => Promise<Result<ReplyOf<E>>>,
): void =>
  serveResult(app, endpoint, (call) => {
    const ports = portsOf(given, call);
    const carryOut = () => handler(call, ports);
    return answered(call, carryOut, (claim) => ports.once.outside(claim, carryOut));
  });

const answered = async <E extends Endpoint>(
  call: Call<E>,
  plain: () => Promise<Result<ReplyOf<E>>>,
  once: (claim: RequestClaim) => Promise<Result<Answered<ReplyOf<E>>>>,
): Promise<Result<ReplyOf<E> | WrittenJson>> => {
  const { request, reply } = call;
  const key = request.headers["idempotency-key"];
  const holder = holders.get(request);
  if (key === undefined || holder === undefined) return plain();
  const given = String(key);
  const refusal = refuseKey(given);
  if (refusal !== null) return refusal;
  const first = await once(await claimOf(call, holder, given));
  if (isRefusal(first)) return first;
  if (first.isReplayed) reply.header("idempotency-replayed", "true");
  return first.value;
};

const claimOf = async <E extends Endpoint>(
  { request, query, body }: Call<E>,
  holder: string,
  key: string,
): Promise<RequestClaim> => {
  const path = request.url.split("?", 1)[0] ?? "";
  return {
    id: sha256(`${holder}\n${path}\n${key}`).toString("hex"),
    holder,
    requestHash: await sha256InTurns(canonical({ query, body })),
  };
};

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

const sha256InTurns = async (pieces: Iterable<string>): Promise<Buffer> => {
  const othersTurn = turns();
  const hash = createHash("sha256");
  for (const piece of pieces) {
    hash.update(piece);
    await othersTurn();
  }
  return hash.digest();
};
