import { Readable } from "node:stream";
import {
  type DatedVersion,
  datedEndpoint,
  type Endpoint,
  type FoundId,
  idsIn,
  MAX_NUMBER,
  type Sayings,
  sentencesIn,
  type Translation,
  translated,
  translationOf,
  VERSION,
  type Wording,
  wordingOf,
} from "@curtail/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { DatedIds, Entity } from "../dated-ids.js";
import { WrittenJson } from "../long-json.js";
import { idsInSentences, sentenceOf, setSentIds, wordErrors } from "./dated-sentences.js";
import { DatedText, type NumbersOf } from "./dated-text.js";

/** An earlier version of the participants' interface, as it is served. */
export interface ServedVersion {
  readonly version: DatedVersion;
  readonly ids: DatedIds;
  /** Whether an id in the answer to a request has its number for ever, or for that answer alone. */
  keepsNumber(request: FastifyRequest, id: string): boolean;
}

/** Where requests of a version become those of the current one, and answers become those of the version. */
export interface Edge {
  /** The operation as the version has it. */
  readonly endpoint: Endpoint;
  readonly isCurrent: boolean;
  /** A member's name in the version. */
  readonly nameOf: Wording;
  /** Parts of a request. */
  taken<Parts extends object>(parts: Parts, request: FastifyRequest): Promise<Parts>;
  /** Elements of a list in the body, for bodies that are read in steps. */
  takenOf(list: string, elements: readonly unknown[]): Promise<readonly unknown[]>;
  /** Ids of entities by their numbers, as texts. */
  idsTaken(found: readonly FoundId[]): Promise<readonly string[]>;
  /** A reply: an object, or JSON. */
  given<T>(reply: T, request: FastifyRequest): Promise<T>;
}

const SERVED = Symbol("served version");
type Carrier = { readonly [SERVED]?: ServedVersion };

/** Makes all operations of a scope those of an earlier version: the same handlers, behind a translation. */
export const serveVersion = (scope: FastifyInstance, served: ServedVersion): void => {
  scope.decorate(SERVED, served);
  wordErrors(scope, served);
};

const servedIn = (app: FastifyInstance): ServedVersion | undefined => (app as Carrier)[SERVED];

/** Date of the version that a request is answered in. */
export const versionOf = ({ server }: FastifyRequest): string => servedIn(server)?.version.date ?? VERSION;

/** The edge of an operation in a scope; null if the scope's version does not have the operation. */
export const edgeOf = (app: FastifyInstance, endpoint: Endpoint): Edge | null => {
  const served = servedIn(app);
  if (served === undefined) return currentEdge(endpoint);
  const dated = datedEndpoint(served.version, endpoint);
  return dated === null ? null : new DatedEdge(served, endpoint, dated);
};

const currentEdge = (endpoint: Endpoint): Edge => ({
  endpoint,
  isCurrent: true,
  nameOf: (name) => name,
  taken: async (parts) => parts,
  takenOf: async (_list, elements) => elements,
  idsTaken: async (found) => found.map(({ id }) => String(id)),
  given: async (reply) => reply,
});

/** No entity has it: what is no number is looked up and not found, like any unknown id. */
const NO_ID = "none";

class DatedEdge implements Edge {
  readonly isCurrent = false;
  readonly nameOf: Wording;
  private readonly request: Translation | null;
  private readonly reply: Translation | null;
  private readonly text: DatedText;

  constructor(
    private readonly served: ServedVersion,
    { params, query, body, reply }: Endpoint,
    readonly endpoint: Endpoint,
  ) {
    const name = wordingOf(served.version);
    this.nameOf = name;
    const properties = { params, query, body };
    this.request = translationOf({ properties }, { from: name, to: same });
    this.reply = reply === undefined ? null : translationOf(reply, { from: same, to: name });
    this.text = new DatedText(this.reply);
  }

  async taken<Parts extends object>(parts: Parts, request: FastifyRequest): Promise<Parts> {
    const found = [...idsIn(this.request, parts)];
    const id = await this.idsFor(found);
    setSentIds(
      request,
      found.map((each) => id(each.of, each.id)),
    );
    return translated(this.request, parts, { id, sentence: same }) as Parts;
  }

  async takenOf(list: string, elements: readonly unknown[]): Promise<readonly unknown[]> {
    const within = this.request?.members.get("body")?.within?.members.get(this.nameOf(list))?.within ?? null;
    return (await this.takenBy(within, elements)) as readonly unknown[];
  }

  async idsTaken(found: readonly FoundId[]): Promise<readonly string[]> {
    const idOf = await this.idsFor(found);
    return found.map(({ of, id }) => idOf(of, id));
  }

  async given<T>(reply: T, request: FastifyRequest): Promise<T> {
    const numbersOf = (entities: readonly Entity[]) =>
      this.served.ids.numbersOf(entities, (id) => this.served.keepsNumber(request, id));
    if (Buffer.isBuffer(reply)) return (await this.text.whole(reply, numbersOf)) as T;
    if (reply instanceof Readable) return Readable.from(this.text.pieces(reply, numbersOf), { objectMode: false }) as T;
    const value: unknown = reply instanceof WrittenJson ? JSON.parse(reply.bytes.toString("utf8")) : reply;
    return (await this.shown(value, numbersOf)) as T;
  }

  private async takenBy(translation: Translation | null, value: unknown): Promise<unknown> {
    if (translation === null) return value;
    const id = await this.idsFor([...idsIn(translation, value)]);
    return translated(translation, value, { id, sentence: same });
  }

  private async idsFor(found: readonly FoundId[]): Promise<(of: string, id: unknown) => string> {
    const numbers = found.map(({ id }) => numberOf(id)).filter((number) => number !== null);
    const entities = await this.served.ids.entitiesOf(numbers);
    return (of, id) => {
      const number = numberOf(id);
      if (number === null) return NO_ID;
      const entity = entities.get(number);
      return entity?.kind === of ? entity.id : String(number);
    };
  }

  private async shown(reply: unknown, numbersOf: NumbersOf): Promise<unknown> {
    const entities = [...idsIn(this.reply, reply)].map(({ of, id }) => ({ kind: of, id: String(id) }));
    const said = idsInSentences([...sentencesIn(this.reply, reply)]);
    const numbers = await numbersOf(entities);
    const named = await this.served.ids.knownNumbersOf(said);
    const sayings: Sayings = {
      id: (_of, id) => numbers.get(String(id)),
      sentence: sentenceOf(this.served.version, named),
    };
    return translated(this.reply, reply, sayings);
  }
}

const same: Wording = (text) => text;

/** As a version writes them: in a path or query as digits without leading zeros. */
const numberOf = (id: unknown): number | null => {
  const number = typeof id === "string" && /^[1-9]\d{0,9}$/.test(id) ? Number(id) : id;
  return typeof number === "number" && Number.isInteger(number) && number >= 1 && number <= MAX_NUMBER ? number : null;
};
