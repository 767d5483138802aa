import type { Endpoint } from "@curtail/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { TArray, TObject } from "typebox";
import { Compile } from "typebox/compile";
import { BODY_BYTES, limitBodies } from "../../platform/http/body-limits.js";
import { type Edge, edgeOf } from "../../platform/http/dated-edge.js";
import { HttpError } from "../../platform/http/error-replies.js";
import { takeGzip } from "../../platform/http/gzip-body.js";
import { parsePart } from "../../platform/http/json-body.js";
import { type Batch, type FoundList, JsonScan, notJson, scanInTurns } from "../../platform/http/json-scan.js";
import { meets } from "../../platform/http/null-members.js";
import type { OpenBodies } from "../../platform/http/open-bodies.js";
import { receiveBody } from "../../platform/http/receive-body.js";
import { compileSchema, Faults } from "../../platform/http/validation.js";
import { turns } from "../../platform/turns.js";
import { tooManyReadings } from "../domain/reading.js";
import type { Upload } from "../operations/upload.js";

/** An endpoint whose body is a single list of readings. */
export interface UploadEndpoint {
  readonly endpoint: Endpoint & { readonly body: TObject };
  /** Name of the list. */
  readonly list: string;
  readonly maxBytes: number;
  /** The most elements in the list. */
  readonly maxReadings: number;
  /** Makes a faster parser for bodies of a version; it returns null for bodies that it does not support. */
  readonly fastReader?: (edge: Edge) => (body: Buffer) => Promise<object | null>;
}

/**
 * Parses the bodies of an endpoint in steps, so that others are served in between: the list is cut into batches by its
 * bytes, and each batch is parsed and checked on demand.
 */
export const takeUploads = (
  app: FastifyInstance,
  bodies: OpenBodies,
  { endpoint, list, maxBytes, maxReadings, fastReader = noFastReader }: UploadEndpoint,
): void => {
  const edge = edgeOf(app, endpoint);
  if (edge === null) return;
  const taken = (readings: readonly unknown[]) => edge.takenOf(list, readings);
  const named = edge.nameOf(list);
  const expected = { list: named, maxReadings, taken, ...checksOf(edge.endpoint.body as TObject, named) };
  const readFast = fastReader(edge);
  limitBodies(app, maxBytes);
  takeGzip(app);
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", async (request: FastifyRequest) => {
    const body = await receiveBody(request, bodies);
    const fast = await readFast(body);
    return fast === null ? readInBatches(body, expected) : new ReadBody(fast);
  });
  app.setValidatorCompiler((route) => {
    const check = compileSchema(route);
    return (value: unknown) => (value instanceof ReadBody ? { value } : check(value));
  });
};

const noFastReader = () => async () => null;

/** The parsed form of a body, in place of the value that its schema describes. */
class ReadBody {
  constructor(readonly upload: object) {}
}

/** The upload that `takeUploads` parsed from a body. */
export const uploadOf = (body: unknown): unknown => {
  if (body instanceof ReadBody) return body.upload;
  throw new Error("a body got past the check of its schema without the list that it must have");
};

interface Expected extends Checks {
  readonly list: string;
  readonly maxReadings: number;
  /** Readings of the version as those of the current one. */
  readonly taken: (readings: readonly unknown[]) => Promise<readonly unknown[]>;
}

interface Checks {
  readonly body: ReturnType<typeof Compile>;
  readonly item: ReturnType<typeof Compile>;
  /** Whether an element matches its schema; drops null members that have no meaning. */
  readonly isAsAgreed: (element: unknown) => boolean;
}

const checksOf = (schema: TObject, list: string): Checks => {
  const { items } = schema.properties[list] as TArray;
  const item = Compile(items);
  return { body: Compile(schema), item, isAsAgreed: (element) => meets(item, items, element) };
};

const readInBatches = async (body: Buffer, expected: Expected): Promise<unknown> => {
  if (body.length === 0) return undefined;
  const { list, maxReadings } = expected;
  const scan = new JsonScan(body, list, { most: maxReadings, message: tooManyReadings(list, maxReadings) });
  await scanInTurns(scan);
  if (scan.isUnfinished) throw notJson(body.length);
  const value = parseAround(body, scan.list, list);
  // Without the list, the usual validation reports the fault.
  if (scan.list === null || !expected.body.Check(value)) return value;
  return new ReadBody(batchesOf(body, scan.list, expected));
};

/** Parses what surrounds the list, with the list empty. */
const parseAround = (body: Buffer, found: FoundList | null, list: string): unknown => {
  const { start, end } = found ?? { start: 0, end: 0 };
  const skipped = end - start;
  if (body.length - skipped > BODY_BYTES) {
    throw new HttpError(400, `the body has more than ${BODY_BYTES} bytes besides the list ${list}; remove them`);
  }
  const around = Buffer.concat([body.subarray(0, start), body.subarray(end)]);
  return parsePart(around, { position: (at) => (at < start ? at : at + skipped), path: (within) => within });
};

const batchesOf = (body: Buffer, found: FoundList, { list, item, isAsAgreed, taken }: Expected): Upload<unknown> => ({
  count: found.count,
  async *batches() {
    const othersTurn = turns();
    const faults = new Faults();
    for (const batch of found.batches) {
      const readings = parseBatch(body, batch, list);
      for (const [index, reading] of readings.entries()) {
        if (!isAsAgreed(reading)) faults.add(item.Errors(reading), reading, [list, String(batch.first + index)]);
        if (faults.isFull) throw faults.error();
      }
      if (faults.isEmpty) yield await taken(readings);
      await othersTurn();
    }
    if (!faults.isEmpty) throw faults.error();
  },
});

const parseBatch = (body: Buffer, { start, end, count, first }: Batch, list: string): unknown[] => {
  const json = Buffer.concat([OPEN, body.subarray(start, end), CLOSE]);
  const path = ([index, ...within]: readonly string[]) => [list, String(first + Number(index)), ...within];
  const readings = parsePart(json, { position: (at) => start + at - OPEN.length, path }) as unknown[];
  // A comma at the end of a batch leaves an empty element.
  if (readings.length !== count) throw notJson(end);
  return readings;
};

const OPEN = Buffer.from("[");
const CLOSE = Buffer.from("]");
